import type { IDataObject } from 'n8n-workflow';
import type { ActionRun } from './engine.mts';
import type { Service } from '../../support/service.mts';
import { startService } from '../../support/service.mts';

/** One call to the API, as the emulated service recorded it. */
interface Call {
	method: string;
	url: string;
	headers: Record<string, string | undefined>;
	body: IDataObject | null;
	status: number | null;
}

/** Starts the emulated service for the tests of a file, and empties it before each. */
export function useSandbox(args: string[] = []) {
	let service: Service;
	beforeAll(async () => {
		service = await startService({ args });
	});
	afterAll(() => service.stop());

	const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
		const response = await fetch(`${service.url}/sandbox${path}`, {
			method,
			...(body && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${path}`);
		return method === 'GET' ? await response.json() : undefined;
	};
	beforeEach(() => ask('DELETE', '/'));

	return {
		url: () => service.url,
		/** The calls to the API in this test, in order. */
		calls: async () => (await ask('GET', '/calls')) as Call[],
		/** How many collection requests exist. */
		count: async () => ((await ask('GET', '/requests')) as unknown[]).length,
		/** Completes a request, which gives it a share. */
		complete: async (requestId: string) => await ask('POST', `/requests/${requestId}/complete`),
		fault: async (fault: object) => await ask('PUT', '/faults', { fault }),
		/** A run of the node with the service's address in the credential. */
		action: (parameters: ActionRun['parameters'], rest?: Partial<ActionRun>): ActionRun => ({
			...rest,
			parameters,
			credential: { productionBaseUrl: service.url, productionCollectUrl: service.url },
		}),
	};
}
