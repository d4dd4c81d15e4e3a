import { EMAIL_PATTERN } from '../emails.mts';
import { integer, list, OWN_CHOICE, record, ref, text, truth } from './describe.mts';

const participantDetails = {
	$id: 'ParticipantDetails',
	...record(
		'An invited participant',
		{
			email: text(`Email address. ${OWN_CHOICE}: its form is checked`, {
				pattern: EMAIL_PATTERN,
				maxLength: 254,
			}),
			phoneNumber: text('Phone number'),
			name: text('Name'),
			isAdmin: truth('Whether the participant gets the role `admin`'),
		},
		['email', 'phoneNumber', 'name', 'isAdmin'],
	),
};

const createCollectionRequest = {
	$id: 'CreateCollectionRequestDto',
	type: 'object',
	description: `The body of a create call. ${OWN_CHOICE}: only templateId is required`,
	required: ['templateId'],
	properties: {
		templateId: text(`Form ID under which the request is created. ${OWN_CHOICE}: required`, {
			pattern: '\\S',
		}),
		childAccountId: text('Child account under which the request is created'),
		minimumParticipants: integer(
			`Minimum participants required. ${OWN_CHOICE}: from 0, default 1, not above the maximum`,
			{ minimum: 0 },
		),
		maximumParticipants: integer(
			`Maximum participants allowed. ${OWN_CHOICE}: from 1, default 10 or what is needed`,
			{ minimum: 1 },
		),
		participantList: list('Invited participants', ref('ParticipantDetails')),
		webhookUrl: text(
			`URL that receives status-change notifications. ${OWN_CHOICE}: http or https, needs webhookSecret`,
		),
		webhookSecret: text('Secret used to sign webhook notifications'),
		webhookIdentifier: text('Optional; custom identifier echoed in webhook payloads'),
	},
};

const notification = {
	$id: 'Notification',
	...record(
		'The payload of a notification',
		{
			event: text('Event type, e.g. `collection_request.updated`'),
			requestId: text('ID of the collection request'),
			shareStatus: text('Current status of the share'),
			webhookIdentifier: text(
				`Identifier given at creation. ${OWN_CHOICE}: left out when none was given`,
			),
			timestamp: text(
				`Digits; time the webhook was generated. ${OWN_CHOICE}: in milliseconds, as in the header`,
				{ pattern: '^[0-9]+$' },
			),
		},
		['webhookIdentifier'],
	),
};

export const messageSchemas = [participantDetails, createCollectionRequest, notification];
