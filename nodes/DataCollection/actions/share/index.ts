import type { INodeProperties } from 'n8n-workflow';

import { fieldsOf } from '../../n8n/fields';
import type { Resource } from '../../shared/operation';
import * as get from './get.operation';
import * as getAnswers from './getAnswers.operation';
import * as getHistory from './getHistory.operation';

export const share: Resource = { get, getAnswers, getHistory };

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
				description: 'Read the share as it is: its state, its participants and what they filled in',
				action: 'Get share',
			},
			{
				name: 'Get Answers',
				value: 'getAnswers',
				description: 'Read the answers as rows: one item for each answer, or for each share',
				action: 'Get answers',
			},
			{
				name: 'Get History',
				value: 'getHistory',
				description: 'Read who changed the share and when, with one item per entry',
				action: 'Get history',
			},
		],
		default: 'get',
	},
	...fieldsOf('share', share),
];
