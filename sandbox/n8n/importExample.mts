import { randomUUID } from 'node:crypto';
import { actionType, credentialType, findNode, formType } from './examples.mts';
import { readExample, triggerType, webhookType, type Credentials } from './examples.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { Json, Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** An agent's tool is the same node under a name of its own. */
const actionTypes = [actionType, `${actionType}Tool`];
const emailTypes = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.emailSendTool'];

/** What only works while the workflow is published. */
const publishedTypes = [triggerType, formType, webhookType];

const setType = 'n8n-nodes-base.set';

export interface ImportOptions {
	rest: N8nRest;
	/** Without the ending, for example `form-to-email`. */
	name: string;
	credentials: Credentials;
	/** Goes into every node of ours that has this field, and where people enter it. */
	templateId: string;
	/** The API base URL of the credential; goes where people enter it. */
	baseUrl?: string;
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
 * under addresses of its own, so that n8n can have it more than once. A workflow that a form, a
 * notification or a webhook starts is published, and answers already when this returns.
 */
export async function importExample(options: ImportOptions): Promise<Workflow> {
	const { rest, name, credentials, templateId, baseUrl, webhookUrl, change } = options;
	const example = await readExample(name);
	const nodes = example.nodes.map((node) => ({ ...node, ...ownFields(node, credentials) }));
	const file = { ...example, nodes };
	const url = typeof webhookUrl === 'function' ? webhookUrl(file) : webhookUrl;
	const changes = url === undefined ? { templateId } : { templateId, webhookUrl: url };
	const entered = baseUrl === undefined ? { templateId } : { templateId, baseUrl };
	const filled = withEntries(withParameters(file, changes), entered);
	const workflow = await rest.createWorkflow(change === undefined ? filled : change(filled));
	const needsPublishing = publishedTypes.some((type) => findNode(workflow, type) !== undefined);
	return needsPublishing ? await publish(rest, workflow) : workflow;
}

/** A credential, if it takes one of ours or sends mails, and an address, if it has one. */
function ownFields(node: WorkflowNode, { dataCollection, smtp }: Credentials) {
	const { type, parameters, webhookId } = node;
	const isOurs = type === triggerType || actionTypes.includes(type);
	const takesOurs = isOurs || parameters.nodeCredentialType === credentialType;
	const chosen = takesOurs ? dataCollection : emailTypes.includes(type) ? smtp : undefined;
	const path = randomUUID();
	return {
		...(chosen && { credentials: { [chosen.type]: { id: chosen.id, name: chosen.name } } }),
		// As the editor does on import.
		...(webhookId !== undefined && { webhookId: path }),
		...(parameters.path !== undefined && { parameters: { ...parameters, path } }),
	};
}

/** The workflow with other values in its Edit Fields nodes, where those have fields of these names. */
function withEntries(workflow: WorkflowFile, entered: Json): WorkflowFile {
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.type !== setType) return node;
		const { assignments } = node.parameters.assignments as { assignments: Array<{ name: string }> };
		const changed = assignments.map((field) => {
			return field.name in entered ? { ...field, value: entered[field.name] } : field;
		});
		return { ...node, parameters: { ...node.parameters, assignments: { assignments: changed } } };
	};
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

/**
 * The workflow with parameters changed in those nodes of ours that have them; one that an
 * expression fills stays as it is.
 */
function withParameters(workflow: WorkflowFile, changes: Json): WorkflowFile {
	const isFixed = (value: unknown) => typeof value === 'string' && !value.startsWith('=');
	const change = (node: WorkflowNode) => {
		if (!actionTypes.includes(node.type)) return node;
		const fixed = Object.entries(changes).filter(([name]) => isFixed(node.parameters[name]));
		return { ...node, parameters: { ...node.parameters, ...Object.fromEntries(fixed) } };
	};
	return { ...workflow, nodes: workflow.nodes.map(change) };
}
