import { parse } from 'flatted';
import { createSend, N8nRestError } from './request.mts';
import type { Credential, CredentialTest, Json, Owner, Publication } from './types.mts';
import type {
	Execution,
	ExecutionData,
	ExecutionSummary,
	Workflow,
	WorkflowFile,
} from './types.mts';

/** The part of n8n's REST API that the sandbox and the tests use, in one session. */
export type N8nRest = ReturnType<typeof createRest>;

/** The data of an execution as n8n stores it: JSON that is flattened. */
export const parseExecutionData = (text: string) => parse(text) as ExecutionData;

/**
 * A client of the n8n at `url`; log in or set up the owner first, or give the cookie of a session.
 * Throws N8nRestError.
 */
export function createRest(url: string, session?: string) {
	const send = createSend(url, session);
	const workflow = (id: string) => `/rest/workflows/${id}`;
	const getCredential = (id: string) =>
		send<Credential>('GET', `/rest/credentials/${id}?includeData=true`);
	return {
		send,

		/** True until somebody has set up the instance's owner. */
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
		/** The credential with its decrypted fields, passwords blanked out. */
		getCredential,
		/** Replaces the fields; a blanked-out password keeps its stored value. */
		updateCredential: ({ id, name, type }: Credential, data: Json) =>
			send<Credential>('PATCH', `/rest/credentials/${id}`, { name, type, data }),
		/** Runs the stored credential's test, as the editor does on saving. */
		testCredential: async ({ id }: Credential) => {
			// n8n tests the fields it is sent and fills in only blanked-out passwords.
			const { name, type, data } = await getCredential(id);
			const credentials = { id, name, type, data };
			return await send<CredentialTest>('POST', '/rest/credentials/test', { credentials });
		},

		createWorkflow: (file: WorkflowFile) => send<Workflow>('POST', '/rest/workflows', file),
		/** The workflow, or undefined when n8n has none of that ID. */
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
		/** How far n8n is with publishing: it answers `activate` before the addresses are there. */
		publicationOf: (id: string) => send<Publication>('GET', `${workflow(id)}/publication-status`),
		deactivate: (id: string) => send<Workflow>('POST', `${workflow(id)}/deactivate`, {}),
		/** Archives and deletes. */
		deleteWorkflow: async (id: string) => {
			await send('POST', `${workflow(id)}/archive`, {});
			await send('DELETE', workflow(id));
		},
		/** Starts the workflow at a trigger, as the editor's button does; returns the execution ID. */
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
			return { ...stored, data: parseExecutionData(stored.data) };
		},
	};
}
