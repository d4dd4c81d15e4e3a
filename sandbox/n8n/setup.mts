import { Failure } from '../shared/failure.mts';
import { ensureCredentials, type Service } from './credentials.mts';
import { exampleNames, findNode, readExample, triggerType, triggerUrl } from './examples.mts';
import { importExample } from './importExample.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import { readState, writeState } from './state.mts';
import type { Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** The sandbox accepts any template ID; a real service knows its own. */
const templateId = 'sandbox-template';

export interface WorkspaceOptions {
	rest: N8nRest;
	n8nUrl: string;
	userFolder: string;
	service: Service;
	/** Where the mailbox takes mails. */
	smtpPort: number;
}

/** `name` is that of its file, without the ending. */
export type Example = { name: string; workflow: Workflow };

export type Workspace = Awaited<ReturnType<typeof prepareWorkspace>>;

/** The workflow of one example; a Failure when there is none of that name. */
export function exampleOf({ examples }: Workspace, name: string): Workflow {
	const found = examples.find((example) => example.name === name);
	if (found === undefined) throw new Failure(`There is no example "${name}".`);
	return found.workflow;
}

/**
 * Makes the credentials and a workflow of every example, in a session of the owner. A second call
 * creates only what is missing and leaves what the person has changed, but for moved addresses.
 */
export async function prepareWorkspace(options: WorkspaceOptions) {
	const { rest, n8nUrl, userFolder, service, smtpPort } = options;
	const state = await readState(userFolder);
	const { webhookSecret, workflowIds } = state;
	// After each step, so that an interrupted set-up goes on where it was.
	const save = () => writeState(userFolder, state);
	await save();
	const earlierServiceUrl = state.serviceUrl;
	const credentials = await ensureCredentials(rest, state, { service, smtpPort });
	const { dataCollection, smtp } = credentials;
	const ids = { credentialId: dataCollection.id, smtpCredentialId: smtp.id };
	Object.assign(state, { ...ids, serviceUrl: service.url, smtpPort });
	await save();
	// Where n8n was when it was told last is in the URL of the trigger.
	const earlierUrl = state.triggerUrl?.replace(/\/webhook\/[^/]*\/webhook$/, '') ?? '';

	/** The example's workflow. Its requests report to the trigger of another one, or to its own. */
	const ensure = async (name: string, other?: Workflow): Promise<Workflow> => {
		const id = workflowIds[name];
		const known = id === undefined ? undefined : await rest.findWorkflow(id);
		if (known === undefined) {
			const webhookUrl = (own: WorkflowFile) => triggerUrl(n8nUrl, other ?? own);
			const entered = { templateId, baseUrl: service.url };
			const workflow = await importExample({ rest, name, credentials, ...entered, webhookUrl });
			workflowIds[name] = workflow.id;
			await save();
			return workflow;
		}
		const old = other === undefined ? triggerUrl(earlierUrl, known) : state.triggerUrl;
		return await follow(rest, known, [
			[old, triggerUrl(n8nUrl, other ?? known)],
			[earlierServiceUrl, service.url],
		]);
	};
	const examples: Example[] = [];
	const others: string[] = [];
	// Those with our trigger come first: the others report to the first of them.
	for (const name of await exampleNames()) {
		const hasTrigger = findNode(await readExample(name), triggerType) !== undefined;
		if (hasTrigger) examples.push({ name, workflow: await ensure(name) });
		else others.push(name);
	}
	const onCompleted = examples[0]?.workflow;
	if (!onCompleted) throw new Failure('No example starts with the Data Collection Trigger.');
	for (const name of others) examples.push({ name, workflow: await ensure(name, onCompleted) });
	state.triggerUrl = triggerUrl(n8nUrl, onCompleted);
	await save();
	examples.sort((one, other) => (one.name < other.name ? -1 : 1));
	// The examples are in the order of their names, and the others report to `onCompleted`.
	return { examples, onCompleted, credentials, webhookSecret };
}

/** The workflow after addresses have moved; what the person has put in place of one stays. */
async function follow(rest: N8nRest, known: Workflow, moves: Array<[string | undefined, string]>) {
	const before = JSON.stringify(known.nodes);
	const after = moves.reduce((text, [from, to]) => {
		return from === undefined ? text : text.replaceAll(JSON.stringify(from), JSON.stringify(to));
	}, before);
	if (after === before) return known;
	const { id, connections, versionId, activeVersionId } = known;
	const nodes = JSON.parse(after) as WorkflowNode[];
	const updated = await rest.updateWorkflow(id, { nodes, connections });
	// What the person has changed and not published yet is not published for them.
	return versionId === activeVersionId ? await publish(rest, updated) : updated;
}
