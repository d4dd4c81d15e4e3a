import { parse } from 'flatted';
import type { Credential, CredentialTest, Execution, ExecutionData } from './types.mts';
import type { ExecutionSummary, Json, Owner, Publication } from './types.mts';
import type { Workflow, WorkflowFile } from './types.mts';

/** n8n's response to a failed call of its REST API. */
export class N8nRestError extends Error {
	readonly status: number;

	constructor(method: string, route: string, status: number, message: string) {
		super(`${method} ${route}: ${status} ${message}`);
		this.status = status;
	}
}

/** One call; returns the `data` of n8n's response, or the whole response if it has none. */
export type Send = <T>(
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
	route: string,
	body?: unknown,
) => Promise<T>;

/** A sender for one n8n that keeps n8n's session cookie. */
function createSend(url: string): Send {
	let cookie = '';
	return async <T,>(...[method, route, body]: Parameters<Send>): Promise<T> => {
		const response = await fetch(`${url}${route}`, {
			method,
			// One connection per call: n8n closes idle ones after 5 s, perhaps during a call.
			headers: { cookie, 'content-type': 'application/json', connection: 'close' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		const handed = response.headers.getSetCookie().map((line) => line.split(';')[0]);
		if (handed.length > 0) cookie = handed.join('; ');
		const reply = replyOf(await response.text());
		if (!response.ok) throw new N8nRestError(method, route, response.status, reply.message ?? '');
		return ('data' in reply ? reply.data : reply) as T;
	};
}

/** The part of n8n's REST API that the sandbox and the tests use, in one session. */
export type N8nRest = ReturnType<typeof createRest>;

/** A client for the n8n at `url`, which signs in first; throws N8nRestError. */
export function createRest(url: string) {
	const send = createSend(url);
	const workflow = (id: string) => `/rest/workflows/${id}`;
	const getCredential = (id: string) =>
		send<Credential>('GET', `/rest/credentials/${id}?includeData=true`);
	return {
		send,

		/** True until the instance's owner has been set up. */
		needsOwner: async () => {
			type Settings = { userManagement: { showSetupOnFirstLoad: boolean } };
			const { userManagement } = await send<Settings>('GET', '/rest/settings');
			return userManagement.showSetupOnFirstLoad;
		},
		setUpOwner: (owner: Owner) => send<Json>('POST', '/rest/owner/setup', owner),
		logIn: ({ email: emailOrLdapLoginId, password }: Owner) =>
			send<Json>('POST', '/rest/login', { emailOrLdapLoginId, password }),
		/** Every node type n8n has loaded, by its full name. */
		nodeTypes: () => send<Json[]>('GET', '/types/nodes.json'),

		listCredentials: () => send<Credential[]>('GET', '/rest/credentials'),
		createCredential: (name: string, type: string, data: Json) =>
			send<Credential>('POST', '/rest/credentials', { name, type, data }),
		/** The credential with decrypted fields, but with passwords blanked out. */
		getCredential,
		/** Replaces the fields; a blanked-out password keeps its stored value. */
		updateCredential: ({ id, name, type }: Credential, data: Json) =>
			send<Credential>('PATCH', `/rest/credentials/${id}`, { name, type, data }),
		/** Tests the stored credential, as the editor does on saving. */
		testCredential: async ({ id }: Credential) => {
			// n8n tests the fields that it gets, and fills in only blanked-out passwords.
			const { name, type, data } = await getCredential(id);
			const credentials = { id, name, type, data };
			return await send<CredentialTest>('POST', '/rest/credentials/test', { credentials });
		},

		createWorkflow: (file: WorkflowFile) => send<Workflow>('POST', '/rest/workflows', file),
		/** The workflow, or undefined if n8n has none with this ID. */
		findWorkflow: async (id: string) =>
			await send<Workflow>('GET', workflow(id)).catch((error: unknown) => {
				if (error instanceof N8nRestError && error.status === 404) return undefined;
				throw error;
			}),
		updateWorkflow: (id: string, changes: Partial<WorkflowFile>) =>
			send<Workflow>('PATCH', workflow(id), changes),
		/** Publishes the workflow's latest version: its webhooks and triggers go live. */
		activate: ({ id, versionId }: Workflow) =>
			send<Workflow>('POST', `${workflow(id)}/activate`, { versionId }),
		/** The progress of publishing: n8n responds to `activate` before the URLs are live. */
		publicationOf: (id: string) => send<Publication>('GET', `${workflow(id)}/publication-status`),
		deactivate: (id: string) => send<Workflow>('POST', `${workflow(id)}/deactivate`, {}),
		/** Starts the workflow at a trigger, like the editor's button; returns the execution ID. */
		runManually: async (id: string, name: string) => {
			const start = { triggerToStartFrom: { name } };
			const run = await send<{ executionId: string }>('POST', `${workflow(id)}/run`, start);
			return run.executionId;
		},

		/** Newest first. */
		listExecutions: async (workflowId: string) => {
			const filter = encodeURIComponent(JSON.stringify({ workflowId }));
			const route = `/rest/executions?limit=100&filter=${filter}`;
			return (await send<{ results: ExecutionSummary[] }>('GET', route)).results;
		},
		getExecution: async (id: string): Promise<Execution> => {
			const route = `/rest/executions/${id}`;
			const stored = await send<ExecutionSummary & { data: string }>('GET', route);
			// n8n stores it flattened.
			return { ...stored, data: parse(stored.data) as ExecutionData };
		},
	};
}

function replyOf(text: string): { data?: unknown; message?: string } {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : { data: value };
	} catch {
		return { message: text.slice(0, 300) };
	}
}
