import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	type TriggerPanelDefinition,
} from 'n8n-workflow';

import { assertReady, triggerFields, triggerWebhooks, webhook } from './trigger/webhook';

const triggerPanel: TriggerPanelDefinition = {
	header: '',
	executionsHelp:
		'<b>At its production URL, while the workflow is published.</b> These executions show up in the executions list, but not in the editor.<br /><br /><b>At its test URL, while the editor listens.</b> It accepts one notification and shows it here.',
};

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
			'Create form links for people, wait for their answers, and get a table; start a workflow when they have answered',
		eventTriggerDescription: 'Waiting for a notification at the test URL',
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
					'1. Publish the workflow, and copy the Production URL. <br />2. In Create, set Report Status Changes To to A Trigger, and paste it. Try it first with Notification > Send Test.',
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
