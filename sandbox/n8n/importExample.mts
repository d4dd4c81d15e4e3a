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
	/** Goes into our nodes that have it; a function gets the workflow under its own addresses. */
	webhookUrl?: string | ((workflow: WorkflowFile) => string);
	/** Changes the workflow before n8n gets it. */
	change?: (workflow: WorkflowFile) => WorkflowFile;
}

/**
 * Makes a workflow of an example file, under addresses of its own, so that n8n can have it twice.
 * One that a form, a notification or a webhook starts is published, and answers when this returns.
 */
export async function importExample(options: ImportOptions): Promise<Workflow> {
	const { rest, name, credentials, templateId, baseUrl, webhookUrl, change } = options;
	const example = await readExample(name);
	const nodes = example.nodes.map((node) => ({ ...node, ...ownFields(node, credentials) }));
	const file = { ...example, nodes };
	const url = typeof webhookUrl === 'function' ? webhookUrl(file) : webhookUrl;
	const given = { templateId, ...(url !== undefined && { webhookUrl: url }) };
	const entered = { templateId, ...(baseUrl !== undefined && { baseUrl }) };
	const filled = { ...file, nodes: nodes.map((node) => withValues(node, given, entered)) };
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

/** Fills our node's parameters but those with an expression, and an Edit Fields node's fields. */
function withValues(node: WorkflowNode, given: Json, entered: Json): WorkflowNode {
	const { type, parameters } = node;
	const isFixed = (value: unknown) => typeof value === 'string' && !value.startsWith('=');
	if (actionTypes.includes(type)) {
		const fixed = Object.entries(given).filter(([name]) => isFixed(parameters[name]));
		return { ...node, parameters: { ...parameters, ...Object.fromEntries(fixed) } };
	}
	if (type !== setType) return node;
	const { assignments } = parameters.assignments as { assignments: Array<{ name: string }> };
	const changed = assignments.map((field) => {
		return field.name in entered ? { ...field, value: entered[field.name] } : field;
	});
	return { ...node, parameters: { ...parameters, assignments: { assignments: changed } } };
}
