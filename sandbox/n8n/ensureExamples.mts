import { Failure } from '../shared/failure.mts';
import { exampleNames, findNode, readExample, triggerType, triggerUrl } from './examples.mts';
import { withParameters, type Credentials } from './examples.mts';
import { importExample } from './importExample.mts';
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
	/** Called after each step with what the next start has to know. */
	remember: (changes: Partial<State>) => Promise<void>;
}

export interface Examples {
	/** In the order of their names. */
	examples: Example[];
	/** The published one whose trigger the others' requests report to. */
	onCompleted: Workflow;
}

async function findKnown({ rest, state }: EnsureOptions, name: string) {
	const id = state.workflowIds[name];
	return id === undefined ? undefined : await rest.findWorkflow(id);
}

/** Where n8n was when it was told last, in the URL of the trigger. */
const earlierUrl = ({ triggerUrl: url }: State) => url?.replace(/\/webhook\/[^/]*\/webhook$/, '');

/**
 * The example's workflow. Its requests report to the trigger of another one, or to its own; if that
 * is at a new URL, so is what pointed to the old one.
 */
async function ensure(options: EnsureOptions, name: string, other?: Workflow): Promise<Example> {
	const { rest, n8nUrl, state, credentials, remember } = options;
	const known = await findKnown(options, name);
	if (known === undefined) {
		const webhookUrl = (own: WorkflowFile) => triggerUrl(n8nUrl, other ?? own);
		const workflow = await importExample({ rest, name, credentials, templateId, webhookUrl });
		state.workflowIds[name] = workflow.id;
		await remember({ workflowIds: state.workflowIds });
		return { name, workflow };
	}
	const old = other === undefined ? triggerUrl(earlierUrl(state) ?? '', known) : state.triggerUrl;
	const url = triggerUrl(n8nUrl, other ?? known);
	const pointsToOldUrl = known.nodes.some(({ parameters }) => parameters.webhookUrl === old);
	if (old === undefined || old === url || !pointsToOldUrl) return { name, workflow: known };
	return { name, workflow: await follow(rest, known, url) };
}

async function follow(rest: N8nRest, known: Workflow, webhookUrl: string): Promise<Workflow> {
	const { nodes } = withParameters(known, { webhookUrl });
	const { connections, versionId, activeVersionId } = known;
	const updated = await rest.updateWorkflow(known.id, { nodes, connections });
	// What the person has changed and not published yet is not published for them.
	return versionId === activeVersionId ? await publish(rest, updated) : updated;
}

const byName = (one: Example, other: Example) => (one.name < other.name ? -1 : 1);

/**
 * Makes a workflow of every example. A second call makes only what is missing and leaves what the
 * person has changed, but for an address that has moved.
 */
export async function ensureExamples(options: EnsureOptions): Promise<Examples> {
	const { n8nUrl, remember } = options;
	const examples: Example[] = [];
	const others: string[] = [];
	// Those with our trigger come first: the others report to the first of them.
	for (const name of await exampleNames()) {
		const hasTrigger = findNode(await readExample(name), triggerType) !== undefined;
		if (hasTrigger) examples.push(await ensure(options, name));
		else others.push(name);
	}
	const [first] = examples;
	if (first === undefined) throw new Failure('No example starts with the Data Collection Trigger.');
	for (const name of others) examples.push(await ensure(options, name, first.workflow));
	await remember({ triggerUrl: triggerUrl(n8nUrl, first.workflow) });
	return { examples: examples.sort(byName), onCompleted: first.workflow };
}
