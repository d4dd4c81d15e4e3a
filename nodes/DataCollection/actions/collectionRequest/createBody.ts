import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from '../../n8n/parameters';
import { adminField } from '../../people/fields';
import { participantLimitFields } from '../../people/participantLimits';
import type { CommonField, PlannedRequest } from '../../people/plannedRequests';
import type { CreateCollectionRequest } from '../../service/collectionRequest';

export const templateIdField: INodeProperties = {
	displayName: 'Template ID',
	name: 'templateId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c0',
	description:
		'ID of the form template that participants fill in. The provider of the service tells you where to find it.',
	hint: 'With the practice service, any text',
};

const childAccountIdField: INodeProperties = {
	displayName: 'Child Account ID',
	name: 'childAccountId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c1',
	description: 'ID of the child account to create the collection request under',
};

const webhookIdentifierField: INodeProperties = {
	displayName: 'Webhook Identifier',
	name: 'webhookIdentifier',
	type: 'string',
	default: '',
	placeholder: 'e.g. onboarding',
	description: 'Text of your choice that every notification includes',
};

export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [childAccountIdField, adminField, ...participantLimitFields, webhookIdentifierField],
};

/** The account and the form of a collection request are the same for all items that make it. */
export const COMMON_FIELDS: CommonField[] = [
	[templateIdField],
	[childAccountIdField, 'additionalFields'],
];

/**
 * The request body. Of what is not set, only the two limits are sent: the API does not say which fields
 * are required.
 */
export function bodyOf(
	parameters: Parameters,
	{ people, limits }: PlannedRequest,
): CreateCollectionRequest {
	return {
		templateId: parameters.required(templateIdField),
		// A hint would not be enough: the account decides whose collection request it is.
		childAccountId: parameters.strictText(childAccountIdField, 'additionalFields'),
		...limits,
		participantList: people.length > 0 ? people.map(({ person }) => person) : undefined,
		webhookIdentifier: parameters.text(webhookIdentifierField, 'additionalFields'),
	};
}
