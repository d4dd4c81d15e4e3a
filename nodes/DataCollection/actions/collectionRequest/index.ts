import type { INodeProperties } from 'n8n-workflow';

import type { Resource } from '../operation';
import { fieldsOf } from '../operation';
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
				action: 'Create a collection request',
				builderHint: {
					propertyHint:
						'Nobody is invited by this alone: email each participant the guestLink afterwards.',
				},
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Read the state of a collection request, optionally with its share',
				action: 'Get a collection request',
			},
			{
				name: 'Get Guest Link',
				value: 'getGuestLink',
				description: 'Build the address where participants fill in the form',
				action: 'Get the guest link of a collection request',
			},
			{
				name: 'Get Participants',
				value: 'getParticipants',
				description: 'List who is invited and who has joined, one item each',
				action: 'Get the participants of a collection request',
			},
			{
				name: 'Wait',
				value: 'wait',
				description: 'Go on when all collection requests are completed, or after a time',
				action: 'Wait for collection requests',
				builderHint: {
					propertyHint:
						'Comes after Create (notify "wait") and the email node, in the same workflow, and waits for all items at once: no Loop Over Items around it.',
				},
			},
		],
		default: 'create',
	},
	...fieldsOf('collectionRequest', collectionRequest),
];
