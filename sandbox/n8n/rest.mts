import { parseFlatted } from './flatted.mts';
import { createSend, N8nRestError, type Send } from './request.mts';
import type {
	Credential,
	CredentialTest,
	Execution,
	ExecutionData,
	ExecutionSummary,
	Json,
	Owner,
	Publication,
	Workflow,
	WorkflowFile,
} from './types.mts';

/** The part of n8n's REST API that the sandbox and the tests use, in one session. */
export interface N8nRest {
	send: Send;
	/** True until somebody has set up the instance's owner. */
	needsOwner(): Promise<boolean>;
	setUpOwner(owner: Owner): Promise<void>;
	logIn(owner: Owner): Promise<void>;
	/** Every node type n8n has loaded, by its full name. */
	nodeTypes(): Promise<Json[]>;
	listCredentials(): Promise<Credential[]>;
	createCredential(name: string, type: string, data: Json): Promise<Credential>;
	/** The credential with its decrypted fields, passwords blanked out. */
	getCredential(id: string): Promise<Credential>;
	/** Replaces the fields; a blanked-out password keeps its stored value. */
	updateCredential(credential: Credential, data: Json): Promise<Credential>;
	/** Runs the stored credential's test, as the editor does on saving. */
	testCredential(credential: Credential): Promise<CredentialTest>;
	createWorkflow(workflow: WorkflowFile): Promise<Workflow>;
	/** The workflow, or undefined when n8n has none of that ID. */
	findWorkflow(id: string): Promise<Workflow | undefined>;
	updateWorkflow(id: string, changes: Partial<WorkflowFile>): Promise<Workflow>;
	/** Publishes the workflow's latest version: its webhooks and triggers go live. */
	activate(workflow: Workflow): Promise<Workflow>;
	/** How far n8n is with publishing: it answers `activate` before the addresses are there. */
	publicationOf(id: string): Promise<Publication>;
	deactivate(id: string): Promise<Workflow>;
	/** Archives and deletes. */
	deleteWorkflow(id: string): Promise<void>;
	/** Starts the workflow at a trigger, as the editor's button does; returns the execution ID. */
	runManually(id: string, triggerName: string): Promise<string>;
	/** Newest first. */
	listExecutions(workflowId: string): Promise<ExecutionSummary[]>;
	getExecution(id: string): Promise<Execution>;
}

const missing = (error: unknown) => error instanceof N8nRestError && error.status === 404;

function credentialCalls(send: Send) {
	const withData = (id: string) => `/rest/credentials/${id}?includeData=true`;
	return {
		listCredentials: () => send<Credential[]>('GET', '/rest/credentials'),
		createCredential: (name: string, type: string, data: Json) =>
			send<Credential>('POST', '/rest/credentials', { name, type, data }),
		getCredential: (id: string) => send<Credential>('GET', withData(id)),
		updateCredential: ({ id, name, type }: Credential, data: Json) =>
			send<Credential>('PATCH', `/rest/credentials/${id}`, { name, type, data }),
		testCredential: async ({ id }: Credential) => {
			// n8n tests the fields it is sent and fills in only blanked-out passwords.
			const { name, type, data } = await send<Credential>('GET', withData(id));
			const credentials = { id, name, type, data };
			return await send<CredentialTest>('POST', '/rest/credentials/test', { credentials });
		},
	};
}

function workflowCalls(send: Send) {
	const route = (id: string) => `/rest/workflows/${id}`;
	return {
		createWorkflow: (workflow: WorkflowFile) => send<Workflow>('POST', '/rest/workflows', workflow),
		findWorkflow: async (id: string) => {
			try {
				return await send<Workflow>('GET', route(id));
			} catch (error) {
				if (missing(error)) return undefined;
				throw error;
			}
		},
		updateWorkflow: (id: string, changes: Partial<WorkflowFile>) =>
			send<Workflow>('PATCH', route(id), changes),
		activate: ({ id, versionId }: Workflow) =>
			send<Workflow>('POST', `${route(id)}/activate`, { versionId }),
		publicationOf: (id: string) => send<Publication>('GET', `${route(id)}/publication-status`),
		deactivate: (id: string) => send<Workflow>('POST', `${route(id)}/deactivate`, {}),
		deleteWorkflow: async (id: string) => {
			await send('POST', `${route(id)}/archive`, {});
			await send('DELETE', route(id));
		},
		runManually: async (id: string, triggerName: string) => {
			const start = { triggerToStartFrom: { name: triggerName } };
			const { executionId } = await send<{ executionId: string }>(
				'POST',
				`${route(id)}/run`,
				start,
			);
			return executionId;
		},
	};
}

function executionCalls(send: Send) {
	return {
		listExecutions: async (workflowId: string) => {
			const filter = encodeURIComponent(JSON.stringify({ workflowId }));
			const route = `/rest/executions?limit=100&filter=${filter}`;
			return (await send<{ results: ExecutionSummary[] }>('GET', route)).results;
		},
		getExecution: async (id: string) => {
			const stored = await send<ExecutionSummary & { data: string }>(
				'GET',
				`/rest/executions/${id}`,
			);
			return { ...stored, data: parseFlatted(stored.data) as ExecutionData };
		},
	};
}

/**
 * A client of the n8n at `url`; log in or set up the owner first, or give the cookie of a session.
 * Throws N8nRestError.
 */
export function createRest(url: string, session?: string): N8nRest {
	const send = createSend(url, session);
	return {
		send,
		needsOwner: async () => {
			const settings = await send<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
				'GET',
				'/rest/settings',
			);
			return settings.userManagement.showSetupOnFirstLoad;
		},
		setUpOwner: async (owner) => void (await send('POST', '/rest/owner/setup', owner)),
		logIn: async ({ email, password }) =>
			void (await send('POST', '/rest/login', { emailOrLdapLoginId: email, password })),
		nodeTypes: () => send<Json[]>('GET', '/types/nodes.json'),
		...credentialCalls(send),
		...workflowCalls(send),
		...executionCalls(send),
	};
}
