import { Failure } from '../shared/failure.mts';
import { credentialType, exampleNames, smtpType, triggerType, triggerUrl } from './examples.mts';
import { findNode, importExample } from './examples.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import { readState, writeState, type State } from './owner.mts';
import type { Json, Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** The sandbox accepts any template ID; the real service only its own. */
const templateId = 'sandbox-template';

/** The example that the collection requests of the others notify, unless they have a trigger. */
const notified = 'completed-to-rows';

interface WorkspaceOptions {
	rest: N8nRest;
	n8nUrl: string;
	userFolder: string;
	/** The address of its API and its guest page, and its keys. */
	service: Record<'url' | 'apiKey' | 'tokenId', string>;
	/** The port on which the mailbox accepts mails. */
	smtpPort: number;
}

/** `name` is its file name without the extension. */
export type Example = { name: string; workflow: Workflow };

export type Workspace = Awaited<ReturnType<typeof prepareWorkspace>>;

/** The fields of an n8n SMTP credential that sends to the sandbox's mailbox. */
export function smtpFields(port: number): Json {
	const host = '127.0.0.1';
	return { user: '', password: '', host, port, secure: false, disableStartTls: true, hostName: '' };
}

/** The workflow of an example; throws a Failure if there is none with this name. */
export function exampleOf({ examples }: Pick<Workspace, 'examples'>, name: string): Workflow {
	const found = examples.find((example) => example.name === name);
	if (found === undefined) throw new Failure(`There is no example "${name}".`);
	return found.workflow;
}

/**
 * Creates the credentials and a workflow for every example, as the owner. A second call creates
 * only what is missing and keeps the person's changes, but updates addresses that have changed.
 */
export async function prepareWorkspace(options: WorkspaceOptions) {
	const { rest, n8nUrl, userFolder, service } = options;
	const state = await readState(userFolder);
	const { webhookSecret, ids } = state;
	const credentials = await ensureCredentials(options, state);
	const ensure = async (name: string, other?: Workflow): Promise<Workflow> => {
		const known = await rest.findWorkflow(ids[name] ?? 'none');
		if (known !== undefined) return await follow(rest, known, state.addresses, addresses);
		const webhookUrl = (own: WorkflowFile) =>
			triggerUrl(n8nUrl, other && !findNode(own, triggerType) ? other : own);
		const entered = { templateId, baseUrl: service.url };
		const workflow = await importExample({ rest, name, credentials, ...entered, webhookUrl });
		ids[name] = workflow.id;
		// After each step, so that an interrupted setup continues where it stopped.
		await writeState(userFolder, state);
		return workflow;
	};
	const addresses = [n8nUrl, service.url];
	const onCompleted = await ensure(notified);
	const examples: Example[] = [];
	for (const name of await exampleNames()) {
		const workflow = name === notified ? onCompleted : await ensure(name, onCompleted);
		examples.push({ name, workflow });
	}
	await writeState(userFolder, { ...state, addresses });
	return { examples, onCompleted, credentials, webhookSecret };
}

/** Creates missing credentials; existing ones get the addresses of this start. */
async function ensureCredentials(
	{ rest, userFolder, service, smtpPort }: WorkspaceOptions,
	state: State,
) {
	const all = await rest.listCredentials();
	const ensure = async (name: string, type: string, fields: Json, addresses: Json) => {
		const known = all.find(({ id }) => id === state.ids[type]);
		if (known === undefined) {
			const credential = await rest.createCredential(name, type, { ...fields, ...addresses });
			state.ids[type] = credential.id;
			await writeState(userFolder, state);
			return credential;
		}
		const { data } = await rest.getCredential(known.id);
		return await rest.updateCredential(known, { ...data, ...addresses });
	};
	const { url, apiKey, tokenId } = service;
	const addresses = { productionBaseUrl: url, productionCollectUrl: url };
	const secrets = { webhookSecret: state.webhookSecret, previousWebhookSecrets: '' };
	const fields = { environment: 'production', apiKey, tokenId, ...secrets };
	const smtp = smtpFields(smtpPort);
	return {
		dataCollection: await ensure('Data Collection (Sandbox)', credentialType, fields, addresses),
		smtp: await ensure('Mailbox (Sandbox)', smtpType, smtp, { port: smtpPort }),
	};
}

/** Replaces the addresses of the last start in a workflow by those of this one. */
async function follow(rest: N8nRest, known: Workflow, from: string[], to: string[]) {
	const before = JSON.stringify(known.nodes);
	const after = from.reduce((text, address, index) => {
		const [old, now] = [JSON.stringify(address), JSON.stringify(to[index])];
		// The whole address, or its beginning: not that of a longer port.
		return text.replaceAll(old, now).replaceAll(`${old.slice(0, -1)}/`, `${now.slice(0, -1)}/`);
	}, before);
	if (after === before) return known;
	const { id, connections, versionId, activeVersionId } = known;
	const nodes = JSON.parse(after) as WorkflowNode[];
	const updated = await rest.updateWorkflow(id, { nodes, connections });
	// Changes that the person has not published yet stay unpublished.
	return versionId === activeVersionId ? await publish(rest, updated) : updated;
}
