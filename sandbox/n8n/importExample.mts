import { randomUUID } from 'node:crypto';
import { actionType, credentialType, findNode, formType } from './examples.mts';
import { readExample, triggerType, webhookType, type Credentials } from './examples.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { Json, Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** As a tool of an AI agent, the same node has another type name. */
const actionTypes = [actionType, `${actionType}Tool`];
const emailTypes = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.emailSendTool'];

/** These nodes only work while the workflow is published. */
const publishedTypes = [triggerType, formType, webhookType];

const setType = 'n8n-nodes-base.set';

export interface ImportOptions {
	rest: N8nRest;
	/** Without the file extension, for example `form-to-email`. */
	name: string;
	credentials: Credentials;
	/** For every node of ours with this field, and for the field where people enter it. */
	templateId: string;
	/** The credential's API base URL, for the field where people enter it. */
	baseUrl?: string;
	/** For our nodes with this field; a function gets the workflow with its new addresses. */
	webhookUrl?: string | ((workflow: WorkflowFile) => string);
	/** Changes the workflow before it is created in n8n. */
	change?: (workflow: WorkflowFile) => WorkflowFile;
}

/**
 * Creates a workflow from an example, with new addresses, so that n8n can have it more than once.
 * If a form, a notification or a webhook starts it, it is also published and live on return.
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

/** A credential for nodes that take ours or send mails; a new address for nodes that have one. */
function ownFields(node: WorkflowNode, { dataCollection, smtp }: Credentials) {
	const { type, parameters, webhookId } = node;
	const isOurs = type === triggerType || actionTypes.includes(type);
	const takesOurs = isOurs || parameters.nodeCredentialType === credentialType;
	const chosen = takesOurs ? dataCollection : emailTypes.includes(type) ? smtp : undefined;
	const path = randomUUID();
	return {
		...(chosen && { credentials: { [chosen.type]: { id: chosen.id, name: chosen.name } } }),
		// The editor does the same on import.
		...(webhookId !== undefined && { webhookId: path }),
		...(parameters.path !== undefined && { parameters: { ...parameters, path } }),
	};
}

/** Fills our node's parameters, except expressions, and the fields of an Edit Fields node. */
function withValues(node: WorkflowNode, given: Json, entered: Json): WorkflowNode {
	const { type, parameters } = node;
	// An empty Webhook URL is not in the file, as it is the default.
	const needsUrl = parameters.notify === 'trigger';
	const isFixed = (value: unknown) => typeof value === 'string' && !value.startsWith('=');
	if (actionTypes.includes(type)) {
		const fixed = Object.entries(given).filter(([name]) =>
			name === 'webhookUrl' ? needsUrl : isFixed(parameters[name]),
		);
		return { ...node, parameters: { ...parameters, ...Object.fromEntries(fixed) } };
	}
	if (type !== setType) return node;
	const { assignments } = parameters.assignments as { assignments: Array<{ name: string }> };
	const changed = assignments.map((field) => {
		return field.name in entered ? { ...field, value: entered[field.name] } : field;
	});
	return { ...node, parameters: { ...parameters, assignments: { assignments: changed } } };
}
