import type { INodeProperties } from 'n8n-workflow';

import { participantLimitFields } from './participantLimits';

export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Collection Request',
			value: 'collectionRequest',
			description: 'One item with the response of the service',
		},
		{
			name: 'Participants',
			value: 'participants',
			description:
				'One item for each invited person, e.g. to email them; the collection request if nobody is invited',
		},
	],
	default: 'participants',
	description: 'What to return for each input item',
};

export const templateIdField: INodeProperties = {
	displayName: 'Template ID',
	name: 'templateId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c0',
	description:
		'ID of the form template that participants fill in. The provider of the service tells you where to find it. The sandbox takes any text.',
};

export const childAccountIdField: INodeProperties = {
	displayName: 'Child Account ID',
	name: 'childAccountId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c1',
	description: 'ID of the child account to create the collection request under',
};

export const webhookIdentifierField: INodeProperties = {
	displayName: 'Webhook Identifier',
	name: 'webhookIdentifier',
	type: 'string',
	default: '',
	placeholder: 'e.g. onboarding',
	description: 'Text of your choice that every notification includes',
};

export const answersNotice: INodeProperties = {
	displayName:
		'Answers carry no names. To know whose they are, create one collection request for each person.',
	name: 'answersNotice',
	type: 'notice',
	default: '',
};

export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [childAccountIdField, ...participantLimitFields, webhookIdentifierField],
};
