import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
	TriggerPanelDefinition,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { filterFields } from './trigger/filters';
import { assertReady, triggerWebhooks, webhook } from './trigger/webhook';

const MODES =
	'The trigger has two addresses.<br /><br /><b>The test URL is for building.</b> Execute this step, so that n8n listens, then let a collection request that was created with the test URL as its Webhook URL change state. It takes one notification and shows it here.<br /><br />';

/** What the editor says beside the trigger: when which of its two addresses works. */
const triggerPanel: TriggerPanelDefinition = {
	header: '',
	executionsHelp: {
		inactive: `${MODES}<b>The production URL is for real requests.</b> Publish the workflow: from then on it takes every notification. Those executions show up in the executions list, not in the editor.`,
		active: `${MODES}<b>The production URL is for real requests.</b> It takes every notification, because the workflow is published. Those executions show up in the <a data-key="executions">executions list</a>, not in the editor.`,
	},
	activationHint:
		'Once the workflow is finished, publish it and use the production URL: then no button has to be pressed.',
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
		// For each delivery to a node of version 1 n8n evaluates an expression of its own.
		version: 1.1,
		subtitle:
			'={{ ({ completed: "completed", open: "opened", anyStatus: "any status", anyEvent: "any event" })[$parameter["triggerOn"]] ?? $parameter["shareStatuses"].join(", ") }}',
		// n8n's search shows the trigger's description for both nodes.
		description:
			'Collect data from several participants at once, and start when a collection request changes state',
		eventTriggerDescription:
			'Waiting for a status change of a collection request that was created with the test URL',
		defaults: { name: 'Data Collection Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'dataCollectionApi', required: true }],
		triggerPanel,
		webhooks: triggerWebhooks,
		properties: [
			{
				displayName:
					'Open "Webhook URLs" above, choose "Production URL", and copy it into "Webhook URL" of the node that creates the collection request. That node needs this credential, or one with the same webhook secret.',
				name: 'urlNotice',
				type: 'notice',
				default: '',
			},
			...filterFields,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					{
						displayName: 'Include',
						name: 'include',
						type: 'multiOptions',
						options: [
							{
								name: 'Collection Request',
								value: 'collectionRequest',
								description: 'As it is when the notification arrives',
							},
							{
								name: 'Share',
								value: 'share',
								description: 'With the answers; null while none exists',
							},
						],
						default: [],
						description:
							'What to read and add to the item before the workflow starts. It takes up to 3 seconds; if it does not succeed, the item says so in includeError.',
					},
					{
						displayName: 'Maximum Age',
						name: 'maximumAge',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 300,
						description:
							'Seconds that the signed timestamp may differ from now, before or after; older notifications are refused. 0 switches the check off.',
					},
					{
						displayName: 'Simplify',
						name: 'simplify',
						type: 'boolean',
						default: true,
						description:
							'Whether to return a simplified version of the response instead of the raw data',
					},
				],
			},
		],
	};

	/** The API has no endpoint to register webhooks: the URL travels with each create instead. */
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
