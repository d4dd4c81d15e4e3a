import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
	TriggerPanelDefinition,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { assertReady, triggerFields, triggerWebhooks, webhook } from './trigger/webhook';

const MODES =
	'The trigger has two URLs.<br /><br /><b>Use the test URL while you build your workflow.</b> Copy it first, then execute this step so that n8n listens. In another tab, paste the test URL into a Data Collection node with the action "Send test notification", and execute that node: nobody has to fill in a form. Or create a collection request with the test URL as its Webhook URL, and complete it. n8n accepts one notification and shows it here.<br /><br />';

/** The text that the editor shows next to the trigger: when each of its two addresses works. */
const triggerPanel: TriggerPanelDefinition = {
	header: '',
	executionsHelp: {
		inactive: `${MODES}<b>Use the production URL for real collection requests.</b> Publish the workflow. From then on, the trigger receives every notification. These executions show up in the executions list, but not in the editor.`,
		active: `${MODES}<b>Use the production URL for real collection requests.</b> The workflow is published, so the trigger receives every notification. These executions show up in the <a data-key="executions">executions list</a>, but not in the editor.`,
	},
	activationHint:
		'You can try the trigger without any participants: copy the test URL, execute this step, then, in another tab, use the action "Send test notification" to send one to that URL. When your workflow is finished, publish it and use the production URL.',
};

/** The trigger node: starts the workflow when the service reports a status change. */
export class DataCollectionTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Data Collection Trigger',
		name: 'dataCollectionTrigger',
		icon: {
			light: 'file:../../icons/dataCollection.svg',
			dark: 'file:../../icons/dataCollection.dark.svg',
		},
		group: ['trigger'],
		// For a node of version 1, n8n would evaluate an expression of its own for each delivery.
		version: 1.1,
		subtitle:
			'={{ ({ completed: "completed", open: "opened", anyStatus: "any status" })[$parameter["triggerOn"]] ?? $parameter["shareStatuses"].join(", ") }}',
		// n8n's search shows the trigger's description for both nodes.
		description:
			'Collect data from several participants at once, and start a workflow when a collection request changes state',
		eventTriggerDescription:
			'Waiting for a notification at the test URL. In another tab, send a test notification with a Data Collection node, or change the state of a collection request that was created with this URL.',
		defaults: { name: 'Data Collection Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataCollectionApi', required: true }],
		triggerPanel,
		builderHint: {
			searchHint:
				'Enter its production URL as the webhookUrl of the node that creates the collection requests. The item has requestId, guestLink and shareStatus; read the answers with Share > Get Answers.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-data-collection.dataCollection',
					relationHint: 'Creates the collection requests and reads their answers',
				},
			],
		},
		webhooks: triggerWebhooks,
		properties: [
			{
				displayName:
					'To try the trigger: open "Webhook URLs" above and copy the test URL, then execute this step so that n8n listens. In another tab, paste the URL into a Data Collection node with the action "Send test notification", and execute that node.',
				name: 'tryNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName:
					'For real collection requests: publish the workflow, then copy the production URL into the field "Webhook URL" of the node that creates them. Both nodes need this credential, or credentials with the same webhook secret.',
				name: 'urlNotice',
				type: 'notice',
				default: '',
			},
			...triggerFields,
		],
	};

	/** The API has no endpoint to register webhooks. Create sends the URL instead. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await assertReady(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await webhook(this);
	}
}
