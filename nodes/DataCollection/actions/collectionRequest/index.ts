import type { INodeProperties } from 'n8n-workflow';

import type { Resource } from '../operation';
import * as create from './create.operation';
import * as get from './get.operation';
import * as getGuestLink from './getGuestLink.operation';
import * as getParticipants from './getParticipants.operation';
import * as createAndWait from './wait/createAndWait.operation';

/** The operations of the resource, by the values of the selector below. */
export const collectionRequest: Resource = {
	create,
	createAndWait,
	get,
	getGuestLink,
	getParticipants,
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
				name: 'Create',
				value: 'create',
				description: 'Invite participants to fill in a form, and get the guest link for them',
				action: 'Create a collection request',
			},
			{
				name: 'Create and Wait',
				value: 'createAndWait',
				description: 'Invite participants to fill in a form, and go on when they have completed it',
				action: 'Create a collection request and wait for it',
				displayOptions: { hide: { '@tool': [true] } },
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
		],
		default: 'create',
	},
	...create.description,
	...createAndWait.description,
	...get.description,
	...getGuestLink.description,
	...getParticipants.description,
];
