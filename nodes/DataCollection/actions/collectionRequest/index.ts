import type { INodeProperties } from 'n8n-workflow';

import type { Resource } from '../operation';
import { fieldsOf } from '../parameters';
import * as create from './create.operation';
import * as get from './get.operation';
import * as getGuestLink from './getGuestLink.operation';
import * as getParticipants from './getParticipants.operation';
import * as wait from './wait/wait.operation';

/** The resource's operations, by the values of the selector below. */
export const collectionRequest: Resource = { create, get, getGuestLink, getParticipants, wait };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['collectionRequest'] } },
		options: [
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
				name: 'Wait',
				value: 'wait',
				description:
					'Pause the workflow until all collection requests are completed, or until a time limit',
				action: 'Wait for collection requests',
				builderHint: {
					propertyHint:
						'Place it after Create (notify "wait") and the email node, in the same workflow. It waits for all items at once, so do not put it inside Loop Over Items.',
				},
			},
		],
		default: 'create',
	},
	...fieldsOf('collectionRequest', collectionRequest),
];
