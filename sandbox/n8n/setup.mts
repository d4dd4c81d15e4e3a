import { exampleNames, findNode, goLive, importExample, readExample } from './examples.mts';
import { credentialType, smtpType, triggerType, triggerUrl } from './examples.mts';
import { readState, writeState } from './owner.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { Json, Workflow, WorkflowNode } from './types.mts';

/** The example that people meet first. */
const first = 'first-flow';

/** The workflows of the examples, by the names of their files without the extension. */
type Workspace = Record<string, Workflow>;

/** The fields of an n8n SMTP credential that sends to the sandbox's mailbox. */
export const smtpFields = (port: number): Json => {
	const server = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return { user: '', password: '', ...server, hostName: '' };
};

interface WorkspaceOptions {
	rest: N8nRest;
	n8nUrl: string;
	userFolder: string;
	/** The port on which the mailbox accepts mails. */
	smtpPort: number;
}

/**
 * Creates the credentials and a workflow for every example, as the owner. A second call creates only
 * what is missing and keeps the person's changes, but updates addresses that have changed.
 */
export async function prepareWorkspace(options: WorkspaceOptions): Promise<Workspace> {
	const { rest, n8nUrl, userFolder, smtpPort } = options;
	const state = await readState(userFolder);
	// After each step, so that an interrupted setup continues where it stopped.
	const note = async <T extends { id: string }>(name: string, created: T): Promise<T> => {
		state.ids[name] = created.id;
		await writeState(userFolder, state);
		return created;
	};
	const all = await rest.listCredentials();
	const ensureCredential = async (name: string, type: string, fields: Json, addresses: Json) => {
		const known = all.find(({ id }) => id === state.ids[type]);
		const values = { ...fields, ...addresses };
		if (!known) return await note(type, await rest.createCredential(name, type, values));
		const { data } = await rest.getCredential(known.id);
		return await rest.updateCredential(known, { ...data, ...addresses });
	};
	const practiceUrl = `${n8nUrl}/webhook/data-collection-practice`;
	const fields = { environment: 'practice', webhookSecret: state.webhookSecret };
	const credentials = {
		dataCollection: await ensureCredential('Practice', credentialType, fields, { practiceUrl }),
		smtp: await ensureCredential('Mailbox', smtpType, smtpFields(smtpPort), { port: smtpPort }),
	};
	// The collection requests of workflows without a trigger notify this one.
	const notified = await readExample('completed-to-rows');
	const entered = { credentials, baseUrl: practiceUrl };
	const workspace: Workspace = {};
	// n8n lists the newest first.
	const names = (await exampleNames()).reverse().filter((name) => name !== first);
	for (const name of [...names, first]) {
		const known = await rest.findWorkflow(state.ids[name] ?? 'none');
		if (known) workspace[name] = await follow(rest, known, state.n8nUrl, n8nUrl);
		if (known) continue;
		const file = await readExample(name);
		const webhookUrl = triggerUrl(n8nUrl, findNode(file, triggerType) ? file : notified);
		const created = await importExample(rest, file, { ...entered, webhookUrl });
		// The editor's button starts the first one.
		workspace[name] = await note(name, name === first ? created : await goLive(rest, created));
	}
	await writeState(userFolder, { ...state, n8nUrl });
	return workspace;
}

/** Replaces n8n's address at the last start by that of this one. */
async function follow(rest: N8nRest, known: Workflow, from: string, to: string): Promise<Workflow> {
	const { id, connections, versionId, activeVersionId } = known;
	const before = JSON.stringify(known.nodes);
	const after = before.replaceAll(`"${from}/`, `"${to}/`);
	if (after === before) return known;
	const nodes = JSON.parse(after) as WorkflowNode[];
	const updated = await rest.updateWorkflow(id, { nodes, connections });
	// Changes that the person has not published yet stay unpublished.
	return versionId === activeVersionId ? await publish(rest, updated) : updated;
}
