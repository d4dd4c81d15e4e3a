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

/** The names of the outputs, where there are two: by the operation, or by it and Check For. */
const OUTPUT_NAMES = {
	wait: ['Done', "Time's Up"],
	getPeopleToRemind: ['To Remind', 'Completed'],
	'checkStatus/completed': ['Completed', 'Not Completed'],
	'checkStatus/open': ['Open or Completed', 'Neither'],
	'checkStatus/statuses': ['Reached', 'Not Reached'],
};

/**
 * n8n evaluates this without our code. The fields that it reads take no expressions. In workflows of
 * Execution Logic v2, n8n 2.41 gives this expression no parameters at all: then the node has one output.
 */
const outputs = `={{ (() => { try {
	const names = ${JSON.stringify(OUTPUT_NAMES)};
	const { operation, checkFor } = $parameter;
	const two = names[operation] || names[operation + "/" + checkFor];
	return two ? two.map((displayName) => ({ type: "main", displayName })) : ["main"];
} catch (error) { return ["main"]; } })() }}` as const;

/** The action node: collection requests, shares and notifications. */
export class DataCollection implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Data Collection',
		name: 'dataCollection',
		icon: {
			light: 'file:../../icons/dataCollection.svg',
			dark: 'file:../../icons/dataCollection.dark.svg',
		},
		group: ['transform'],
		// Not 1, for which n8n would evaluate an expression of its own for each notification to a Wait. With
		// Execution Logic v2 that fails, and nothing could end the wait.
		version: 1.1,
		// The operation and its resource, unless the operation has several words, such as Get Answers.
		subtitle:
			'={{ ($parameter["operation"].replace(/^wait$/, "wait for") + (/[A-Z]/.test($parameter["operation"]) ? "" : " " + $parameter["resource"])).replace(/[A-Z]/g, " $&").toLowerCase() }}',
		description: 'Collect data from several participants at once',
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

	/** n8n calls this when a notification reaches the resume URL of a waiting execution. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this);
	}
}
