import { findNode, formType, readExample, triggerType, withCredentials } from './examples.mts';
import { withOwnAddresses, withParameters, type Credentials } from './examples.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { Workflow, WorkflowFile } from './types.mts';

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
	const file = withOwnAddresses(withCredentials(await readExample(name), credentials));
	const url = typeof webhookUrl === 'function' ? webhookUrl(file) : webhookUrl;
	const parameters = { templateId, ...(url !== undefined && { webhookUrl: url }) };
	const filled = withParameters(file, parameters);
	const workflow = await rest.createWorkflow(change === undefined ? filled : change(filled));
	const needsPublishing = publishedTypes.some((type) => findNode(workflow, type) !== undefined);
	return needsPublishing ? await publish(rest, workflow) : workflow;
}
