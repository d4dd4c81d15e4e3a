import type { INodeProperties } from 'n8n-workflow';

import type { Resource } from '../operation';
import * as get from './get.operation';

/** The operations of the resource, by the values of the selector below. */
export const share: Resource = { get };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['share'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Read the participants and their answers',
				action: 'Get a share with its answers',
			},
		],
		default: 'get',
	},
	...get.description,
];
