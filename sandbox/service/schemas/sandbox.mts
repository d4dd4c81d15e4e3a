import { integer, list, record, ref, text, timestamp, truth } from './describe.mts';
import { nullableText } from './describe.mts';

const delivery = {
	$id: 'Delivery',
	...record('One POST of a notification, as the sandbox recorded it', {
		id: text('ID of this record; use it to redeliver'),
		deliveryId: text('The X-SVC-Delivery-Id that was sent; the same again in an exact replay'),
		kind: text('What caused it', { enum: ['notification', 'redelivery', 'forged'] }),
		requestId: text('Collection request ID'),
		event: text('Event type'),
		shareStatus: text('Share status that was sent'),
		url: text('Where it was sent'),
		sentAt: timestamp('When it was sent'),
		durationMs: { type: ['integer', 'null'], description: 'null while it is under way' },
		statusCode: { type: ['integer', 'null'], description: 'null when no response came' },
		answer: text('The first 200 characters of the response'),
		error: nullableText('What went wrong, in a sentence'),
	}),
};

const guest = {
	$id: 'Guest',
	...record('Someone who has joined through the guest link', {
		name: text('Name'),
		email: text('Email address'),
		isInvited: truth('Whether the email address was invited'),
		isAdmin: truth('Whether the invitation said admin'),
		joinedAt: timestamp('When they joined'),
		submittedAt: nullableText('When they submitted their answers (ISO 8601, UTC), or null'),
	}),
};

const requestState = {
	$id: 'RequestState',
	...record('Everything the sandbox knows of a collection request, but for its webhook secret', {
		environment: text('staging or production'),
		request: ref('CollectionRequest'),
		share: { anyOf: [ref('Share'), { type: 'null' }], description: 'null while none exists' },
		guestLink: text('Where participants answer'),
		webhook: {
			type: ['object', 'null'],
			description: 'Where notifications go, or null',
			properties: { url: text('Webhook URL'), identifier: nullableText('Webhook identifier') },
		},
		participants: list('Who has joined', ref('Guest')),
		deliveries: list('The deliveries, newest first', ref('Delivery')),
	}),
};

const call = {
	$id: 'Call',
	...record('A call to /di/… as it was received', {
		method: text('HTTP method'),
		url: text('Path and query, raw as received'),
		headers: {
			type: 'object',
			description: 'Header names in lower case; key and token read `(hidden)` by default',
			additionalProperties: true,
		},
		body: { description: 'The parsed JSON body; null when there was none or it was not read' },
		status: {
			type: ['integer', 'null'],
			description: 'Status code of the response; null until then',
		},
	}),
};

const answers = {
	$id: 'JoinAndSubmit',
	...record(
		'Joins and submits at once; as a form, an answer is the field `answers[<label>]`',
		{
			name: text('Name'),
			email: text('Email address'),
			answers: {
				type: 'object',
				description: 'Answers by label',
				additionalProperties: { type: 'string' },
			},
		},
		['name', 'email', 'answers'],
	),
};

const deleted = {
	$id: 'Cleared',
	...record('How much was cleared', {
		requests: integer('Collection requests'),
		deliveries: integer('Deliveries'),
		calls: integer('Calls'),
	}),
};

export const sandboxSchemas = [delivery, guest, requestState, call, answers, deleted];
