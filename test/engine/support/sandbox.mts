import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ActionRun } from './engine.mts';
import type { Service } from './service.mts';

/** One call to the API, as the emulated service recorded it. */
export interface Call {
	method: string;
	url: string;
	headers: Record<string, string | undefined>;
	body: IDataObject | null;
	status: number | null;
}

/** What the tests ask the emulated service beside the node. */
export interface Sandbox {
	/** The calls since the last {@link Sandbox.clear}, in order. */
	calls(): Promise<Call[]>;
	clear(): Promise<void>;
	/** Completes a request, which gives it a share. */
	complete(requestId: string): Promise<void>;
	/** The parameters, run with the service's address in the credential. */
	action(parameters: INodeParameters, rest?: Partial<ActionRun>): ActionRun;
}

export function sandboxOf(service: () => Service): Sandbox {
	const ask = async (method: string, path: string) => {
		const response = await fetch(`${service().url}/sandbox${path}`, { method });
		if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${path}`);
		return await response.text();
	};
	return {
		calls: async () => JSON.parse(await ask('GET', '/calls')) as Call[],
		clear: async () => void (await ask('DELETE', '/')),
		complete: async (requestId) => void (await ask('POST', `/requests/${requestId}/complete`)),
		action: (parameters, rest) => ({
			...rest,
			parameters,
			credential: {
				productionBaseUrl: service().url,
				productionCollectUrl: service().url,
				...rest?.credential,
			},
		}),
	};
}
