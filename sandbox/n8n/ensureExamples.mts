import { Failure } from '../shared/failure.mts';
import { exampleNames, findNode, readExample, triggerType, triggerUrl } from './examples.mts';
import type { Credentials } from './examples.mts';
import { importExample, withParameters } from './importExample.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { State } from './state.mts';
import type { Workflow, WorkflowFile } from './types.mts';

/** The sandbox accepts any template ID; a real service knows its own. */
const templateId = 'sandbox-template';

export interface Example {
	/** The name of its file, without the ending. */
	name: string;
	workflow: Workflow;
}

export interface EnsureOptions {
	rest: N8nRest;
	n8nUrl: string;
	state: State;
	credentials: Credentials;
	/** Stores the state, after each step, so that an interrupted set-up goes on where it was. */
	save: () => Promise<void>;
}

export interface Examples {
	/** In the order of their names. */
	examples: Example[];
	/** The published one whose trigger the others' requests report to. */
	onCompleted: Workflow;
}

/**
 * Makes a workflow of every example. A second call makes only what is missing and leaves what the
 * person has changed, but for an address that has moved.
 */
export async function ensureExamples(options: EnsureOptions): Promise<Examples> {
	const { n8nUrl, state, save } = options;
	const examples: Example[] = [];
	const others: string[] = [];
	// Those with our trigger come first: the others report to the first of them.
	for (const name of await exampleNames()) {
		const hasTrigger = findNode(await readExample(name), triggerType) !== undefined;
		if (hasTrigger) examples.push({ name, workflow: await ensure(options, name) });
		else others.push(name);
	}
	const onCompleted = examples[0]?.workflow;
	if (!onCompleted) throw new Failure('No example starts with the Data Collection Trigger.');
	for (const name of others) {
		examples.push({ name, workflow: await ensure(options, name, onCompleted) });
	}
	state.triggerUrl = triggerUrl(n8nUrl, onCompleted);
	await save();
	examples.sort((one, other) => (one.name < other.name ? -1 : 1));
	return { examples, onCompleted };
}

/**
 * The example's workflow. Its requests report to the trigger of another one, or to its own; if that
 * is at a new URL, so is what pointed to the old one.
 */
async function ensure(options: EnsureOptions, name: string, other?: Workflow): Promise<Workflow> {
	const { rest, n8nUrl, state, credentials, save } = options;
	const id = state.workflowIds[name];
	const known = id === undefined ? undefined : await rest.findWorkflow(id);
	if (known === undefined) {
		const webhookUrl = (own: WorkflowFile) => triggerUrl(n8nUrl, other ?? own);
		const workflow = await importExample({ rest, name, credentials, templateId, webhookUrl });
		state.workflowIds[name] = workflow.id;
		await save();
		return workflow;
	}
	// Where n8n was when it was told last is in the URL of the trigger.
	const earlierUrl = state.triggerUrl?.replace(/\/webhook\/[^/]*\/webhook$/, '') ?? '';
	const old = other === undefined ? triggerUrl(earlierUrl, known) : state.triggerUrl;
	const url = triggerUrl(n8nUrl, other ?? known);
	const pointsToOldUrl = known.nodes.some(({ parameters }) => parameters.webhookUrl === old);
	if (old === undefined || old === url || !pointsToOldUrl) return known;
	const { nodes } = withParameters(known, { webhookUrl: url });
	const { connections, versionId, activeVersionId } = known;
	const updated = await rest.updateWorkflow(known.id, { nodes, connections });
	// What the person has changed and not published yet is not published for them.
	return versionId === activeVersionId ? await publish(rest, updated) : updated;
}
