import type { INodeProperties } from 'n8n-workflow';

import { fieldsOf } from '../../n8n/fields';
import type { Resource } from '../../shared/operation';
import * as wait from '../../wait/wait.operation';
import * as checkStatus from './checkStatus.operation';
import * as create from './create.operation';
import * as get from './get.operation';
import * as getGuestLink from './getGuestLink.operation';
import * as getParticipants from './getParticipants.operation';
import * as getPeopleToRemind from './getPeopleToRemind.operation';

export const collectionRequest: Resource = {
	checkStatus,
	create,
	get,
	getGuestLink,
	getParticipants,
	getPeopleToRemind,
	wait,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['collectionRequest'] } },
		options: [
			{
				name: 'Check Status',
				value: 'checkStatus',
				description:
					'Tell completed collection requests from those that are not, e.g. at a deadline',
				action: 'Check status of collection requests',
				builderHint: {
					propertyHint:
						"Connect it with Time's Up (output 1) of Wait, or with a schedule and a table. One item for each input item. Output 0 is Completed: lead it to Share > Get Answers. Output 1 is Not Completed, also for what cannot be read: lead it to whoever has to know.",
				},
			},
			{
				name: 'Create',
				value: 'create',
				description: 'Create a collection request, and get the guest link for its participants',
				action: 'Create collection request',
				builderHint: {
					propertyHint:
						'Running Create really creates a collection request at the service, in a test of the workflow, too. Create does not email anybody: email each participant the guestLink afterwards.',
				},
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Read the state of a collection request, optionally with its share',
				action: 'Get collection request',
			},
			{
				name: 'Get Guest Link',
				value: 'getGuestLink',
				description: 'Build the link to the page where participants fill in the form',
				action: 'Get guest link',
			},
			{
				name: 'Get Participants',
				value: 'getParticipants',
				description: 'List who was invited and who has joined, with one item per person',
				action: 'Get participants',
			},
			{
				name: 'Get People to Remind',
				value: 'getPeopleToRemind',
				description:
					'List whose answers are missing, with one item per person, to email them once more',
				action: 'Get people to remind',
				builderHint: {
					propertyHint:
						"Connect it with Time's Up (output 1) of Wait. Output 0 has the people to email: lead the emails back to Wait. Output 1 has the collection requests if all of them are completed: lead it to Share > Get Answers.",
				},
			},
			{
				name: 'Wait',
				value: 'wait',
				description:
					'Pause the workflow until all collection requests are completed, or until a time limit',
				action: 'Wait for collection requests',
				builderHint: {
					propertyHint:
						"Place it after Create and the email node, in the same workflow. It waits for everything that was created before it, whatever its input items are. Output 0 is Done, output 1 is Time's Up. Without limitWaitTime, nothing leaves by output 1. With it, everything that was awaited leaves by output 1, unread: lead it to Check Status, or to Get People to Remind.",
				},
			},
		],
		default: 'create',
	},
	...fieldsOf('collectionRequest', collectionRequest),
];
