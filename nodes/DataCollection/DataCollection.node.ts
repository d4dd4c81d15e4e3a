import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import * as collectionRequest from './actions/collectionRequest';
import * as notification from './actions/notification';
import { router } from './actions/router';
import * as share from './actions/share';
import { resume, resumeWebhooks } from './wait/resume';
import { waitHints, waitingTooltip } from './wait/wait.operation';

/** Of operations with two outputs, or of an operation and Check For. */
const OUTPUT_NAMES = {
	wait: ['Done', "Time's Up"],
	getPeopleToRemind: ['To Remind', 'Completed'],
	'checkStatus/completed': ['Completed', 'Not Completed'],
	'checkStatus/open': ['Open or Completed', 'Neither'],
	'checkStatus/statuses': ['Reached', 'Not Reached'],
};

/**
 * n8n evaluates this without our code, and in Execution Logic v2 without parameters: one output.
 */
const outputs = `={{ (() => { try {
	const names = ${JSON.stringify(OUTPUT_NAMES)};
	const { operation, checkFor } = $parameter;
	const two = names[operation] || names[operation + "/" + checkFor];
	return two ? two.map((displayName) => ({ type: "main", displayName })) : ["main"];
} catch (error) { return ["main"]; } })() }}` as const;

export class DataCollection implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Data Collection',
		name: 'dataCollection',
		icon: {
			light: 'file:../../icons/dataCollection.svg',
			dark: 'file:../../icons/dataCollection.dark.svg',
		},
		group: ['transform'],
		// With 1, n8n would evaluate an expression for each notification to a Wait. With Execution
		// Logic v2 that fails, and nothing could end the wait.
		version: 1.1,
		// The operation and its resource, unless the operation has several words, such as Get Answers.
		subtitle:
			'={{ ($parameter["operation"].replace(/^wait$/, "wait for") + (/[A-Z]/.test($parameter["operation"]) ? "" : " " + $parameter["resource"])).replace(/[A-Z]/g, " $&").toLowerCase() }}',
		description: 'Create form links for people, wait for their answers, and get a table',
		defaults: { name: 'Data Collection' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To collect data from several people and continue when all of them are done: Create, which returns one item per person, then email each person the guestLink, then Wait, which needs no parameters, then Share > Get Answers on its first output. For a deadline, set limitWaitTime and lead the second output of Wait to Check Status, whose first output leads to Get Answers and whose second output to whoever has to know who is missing. To remind people, the second output of Wait leads to Get People to Remind, whose first output leads to an email node and back to Wait, and whose second output leads to Get Answers. To continue in another workflow instead: Create with notify "trigger" and the production URL of a Data Collection Trigger as webhookUrl.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-data-collection.dataCollectionTrigger',
					relationHint: 'Starts a workflow when a collection request is opened or completed',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs,
		credentials: [{ name: 'dataCollectionApi', required: true }],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: waitingTooltip,
		hints: waitHints,
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Collection Request', value: 'collectionRequest' },
					{
						name: 'Notification',
						value: 'notification',
						displayOptions: { show: { '@tool': [false] } },
					},
					{
						name: 'Share',
						value: 'share',
						description:
							'Where the service keeps the answers. A new collection request has none yet.',
					},
				],
				default: 'collectionRequest',
			},
			...collectionRequest.description,
			...notification.description,
			...share.description,
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await router(this);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this);
	}
}
