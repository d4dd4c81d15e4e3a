import { randomUUID } from 'node:crypto';
import { actionType, findNode, formType, readExample, triggerType } from './examples.mts';
import type { Credentials } from './examples.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { Json, Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** An agent's tool is the same node under a name of its own. */
const actionTypes = [actionType, `${actionType}Tool`];
const emailTypes = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.emailSendTool'];

/** What only works while the workflow is published. */
const publishedTypes = [triggerType, formType];

export interface ImportOptions {
	rest: N8nRest;
	/** Without the ending, for example `form-to-email`. */
	name: string;
	credentials: Credentials;
	/** Goes into every node of ours that has this field. */
	templateId: string;
	/**
	 * Goes into every node of ours that has this field; left as it is when not given. A function gets
	 * the workflow under its own addresses, for one whose requests report to its own trigger.
	 */
	webhookUrl?: string | ((workflow: WorkflowFile) => string);
	/** Changes the workflow before n8n gets it. */
	change?: (workflow: WorkflowFile) => WorkflowFile;
}

/**
 * Makes a workflow of an example file, with credentials, template ID and webhook URL filled in and
 * under addresses of its own, so that n8n can have it more than once. A workflow that a form or a
 * notification starts is published, and answers already when this returns.
 */
export async function importExample(options: ImportOptions): Promise<Workflow> {
	const { rest, name, credentials, templateId, webhookUrl, change } = options;
	const example = await readExample(name);
	const nodes = example.nodes.map((node) => ({ ...node, ...ownFields(node, credentials) }));
	const file = { ...example, nodes };
	const url = typeof webhookUrl === 'function' ? webhookUrl(file) : webhookUrl;
	const changes = url === undefined ? { templateId } : { templateId, webhookUrl: url };
	const filled = withParameters(file, changes);
	const workflow = await rest.createWorkflow(change === undefined ? filled : change(filled));
	const needsPublishing = publishedTypes.some((type) => findNode(workflow, type) !== undefined);
	return needsPublishing ? await publish(rest, workflow) : workflow;
}

/** A credential, if it is a node of ours or sends mails, and an address, if it has one. */
function ownFields({ type, webhookId }: WorkflowNode, { dataCollection, smtp }: Credentials) {
	const isOurs = type === triggerType || actionTypes.includes(type);
	const chosen = isOurs ? dataCollection : emailTypes.includes(type) ? smtp : undefined;
	return {
		...(chosen && { credentials: { [chosen.type]: { id: chosen.id, name: chosen.name } } }),
		// As the editor does on import.
		...(webhookId !== undefined && { webhookId: randomUUID() }),
	};
}

/**
 * The workflow with parameters changed in those nodes of ours that have them; one that an
 * expression fills stays as it is.
 */
export function withParameters(workflow: WorkflowFile, changes: Json): WorkflowFile {
	const isFixed = (value: unknown) => typeof value === 'string' && !value.startsWith('=');
	const change = (node: WorkflowNode) => {
		if (!actionTypes.includes(node.type)) return node;
		const fixed = Object.entries(changes).filter(([name]) => isFixed(node.parameters[name]));
		return { ...node, parameters: { ...node.parameters, ...Object.fromEntries(fixed) } };
	};
	return { ...workflow, nodes: workflow.nodes.map(change) };
}
