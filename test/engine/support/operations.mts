import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import type { ActionRun } from './engine.mts';

/** The smallest read and the smallest create, for tests of what both have in common. */
export const OPERATIONS = {
	read: { resource: 'collectionRequest', operation: 'get', requestId: '1' },
	create: { resource: 'collectionRequest', operation: 'create', templateId: 't1' },
} satisfies Record<string, INodeParameters>;

export type OperationName = keyof typeof OPERATIONS;

export const BOTH: OperationName[] = ['read', 'create'];

/** One of them, with the API at this address. */
export function actionAt(
	operation: OperationName,
	productionBaseUrl: string,
	{ credential, ...more }: INodeParameters & { credential?: ICredentialDataDecryptedObject } = {},
): ActionRun {
	return {
		parameters: { ...OPERATIONS[operation], ...more },
		credential: { productionBaseUrl, ...credential },
	};
}
