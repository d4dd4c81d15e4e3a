import { Failure } from '../shared/failure.mts';
import { ensureCredentials, type Service } from './credentials.mts';
import { exampleNames, findNode, readExample, triggerType, triggerUrl } from './examples.mts';
import { importExample } from './importExample.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import { readState, writeState } from './state.mts';
import type { Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** The sandbox accepts any template ID; the real service only its own. */
const templateId = 'sandbox-template';

interface WorkspaceOptions {
	rest: N8nRest;
	n8nUrl: string;
	userFolder: string;
	service: Service;
	/** The port on which the mailbox accepts mails. */
	smtpPort: number;
}

/** `name` is its file name without the extension. */
export type Example = { name: string; workflow: Workflow };

export type Workspace = Awaited<ReturnType<typeof prepareWorkspace>>;

/** The workflow of an example; throws a Failure if there is none with this name. */
export function exampleOf({ examples }: Workspace, name: string): Workflow {
	const found = examples.find((example) => example.name === name);
	if (found === undefined) throw new Failure(`There is no example "${name}".`);
	return found.workflow;
}

/**
 * Creates the credentials and a workflow for every example, as the owner. A second call creates
 * only what is missing and keeps the person's changes, but updates addresses that have changed.
 */
export async function prepareWorkspace(options: WorkspaceOptions) {
	const { rest, n8nUrl, userFolder, service, smtpPort } = options;
	const state = await readState(userFolder);
	const { webhookSecret, workflowIds, addresses } = state;
	// After each step, so that an interrupted setup continues where it stopped.
	const save = () => writeState(userFolder, state);
	await save();
	const credentials = await ensureCredentials(rest, state, { service, smtpPort });
	state.credentialId = credentials.dataCollection.id;
	state.smtpCredentialId = credentials.smtp.id;
	await save();

	/** The example's workflow. Its collection requests notify its own trigger or `other`'s. */
	const ensure = async (name: string, other?: Workflow): Promise<Workflow> => {
		const known = await rest.findWorkflow(workflowIds[name] ?? 'none');
		if (known !== undefined) return await follow(rest, known, addresses, [n8nUrl, service.url]);
		const webhookUrl = (own: WorkflowFile) => triggerUrl(n8nUrl, other ?? own);
		const entered = { templateId, baseUrl: service.url };
		const workflow = await importExample({ rest, name, credentials, ...entered, webhookUrl });
		workflowIds[name] = workflow.id;
		await save();
		return workflow;
	};
	const examples: Example[] = [];
	const others: string[] = [];
	// Examples with our trigger come first: the others notify the first of them.
	for (const name of await exampleNames()) {
		const hasTrigger = findNode(await readExample(name), triggerType) !== undefined;
		if (hasTrigger) examples.push({ name, workflow: await ensure(name) });
		else others.push(name);
	}
	const onCompleted = examples[0]?.workflow;
	if (!onCompleted) throw new Failure('No example starts with the Data Collection Trigger.');
	for (const name of others) examples.push({ name, workflow: await ensure(name, onCompleted) });
	state.addresses = [n8nUrl, service.url];
	await save();
	examples.sort((one, two) => (one.name < two.name ? -1 : 1));
	return { examples, onCompleted, credentials, webhookSecret };
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
