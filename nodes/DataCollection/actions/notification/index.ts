import type { INodeProperties } from 'n8n-workflow';

import { fieldsOf } from '../../n8n/fields';
import type { Resource } from '../../shared/operation';
import * as sendTest from './sendTest.operation';
import * as verify from './verify.operation';

export const notification: Resource = { sendTest, verify };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['notification'] } },
		options: [
			{
				name: 'Send Test',
				value: 'sendTest',
				description:
					'Try out a trigger: send it a notification that is signed the way the service signs',
				action: 'Send test notification',
			},
			{
				name: 'Verify',
				value: 'verify',
				description: "Check the signature of a notification that n8n's Webhook node received",
				action: 'Verify notification',
			},
		],
		default: 'sendTest',
	},
	...fieldsOf('notification', notification),
];
