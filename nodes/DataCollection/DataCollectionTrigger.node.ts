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
	'The trigger has two addresses.<br /><br /><b>The test URL is for building.</b> Execute this step, so that n8n listens. Then copy the test URL into a Data Collection node with the action "Send a test notification", in another tab, and execute that: nobody has to fill in a form. Or create a collection request with the test URL as its Webhook URL, and complete it. n8n takes one notification and shows it here.<br /><br />';

/** The text that the editor shows next to the trigger: when each of its two addresses works. */
const triggerPanel: TriggerPanelDefinition = {
	header: '',
	executionsHelp: {
		inactive: `${MODES}<b>The production URL is for real requests.</b> Publish the workflow: from then on it takes every notification. Those executions show up in the executions list, not in the editor.`,
		active: `${MODES}<b>The production URL is for real requests.</b> It takes every notification, because the workflow is published. Those executions show up in the <a data-key="executions">executions list</a>, not in the editor.`,
	},
	activationHint:
		'You can try it without anybody: execute this step, and let the action "Send a test notification" send one to the test URL, in another tab. Once the workflow is finished, publish it and use the production URL.',
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
			'={{ ({ completed: "completed", open: "opened", anyStatus: "any status", anyEvent: "any event" })[$parameter["triggerOn"]] ?? $parameter["shareStatuses"].join(", ") }}',
		// n8n's search shows the trigger's description for both nodes.
		description:
			'Collect data from several participants at once, and start when a collection request changes state',
		eventTriggerDescription:
			'Waiting for a notification at the test URL. Send a test notification with a Data Collection node, in another tab, or let a collection request change state that was created with this URL.',
		defaults: { name: 'Data Collection Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataCollectionApi', required: true }],
		triggerPanel,
		builderHint: {
			searchHint:
				'Its production URL must be entered as webhookUrl of the node that creates the collection requests. The item has requestId, guestLink and shareStatus; read the answers with Share > Get Answers.',
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
					'To try it: execute this step, so that n8n listens. Then copy the test URL above into a Data Collection node with the action "Send a test notification", in another tab, and execute that.',
				name: 'tryNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName:
					'For real requests: publish the workflow, and copy the production URL above into "Webhook URL" of the node that creates them. Both nodes need this credential, or one with the same webhook secret.',
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
