import { Type, type Static } from 'typebox';
import { CollectionRequest, Share } from './api.mts';
import { integer, list, named, nullable, record, ref } from './describe.mts';
import { text, timestamp, truth } from './describe.mts';

export const Delivery = named(
	'Delivery',
	'One POST of a notification, as the sandbox recorded it',
	{
		id: text('ID of this record; use it to redeliver'),
		deliveryId: text('The X-SVC-Delivery-Id that was sent; the same again in an exact replay'),
		kind: Type.Enum(['notification', 'redelivery', 'forged', 'unknown'], {
			description: 'What it is; unknown: a status or an event that nobody knows, in hard mode',
		}),
		requestId: text('Collection request ID'),
		event: text('Event type'),
		shareStatus: text('Share status that was sent; empty if none was'),
		url: text('Where it was sent'),
		sentAt: timestamp('When it was sent'),
		durationMs: nullable(integer('null while it is under way')),
		statusCode: nullable(integer('null when no response came')),
		answer: text('The first 200 characters of the response'),
		error: nullable(text('What went wrong, in a sentence')),
	},
);

export const Guest = named('Guest', 'Someone who has joined through the guest link', {
	name: text('Name'),
	email: text('Email address'),
	isInvited: truth('Whether the email address was invited'),
	isAdmin: truth('Whether the invitation said admin'),
	joinedAt: timestamp('When they joined'),
	submittedAt: nullable(text('When they submitted their answers (ISO 8601, UTC), or null')),
});

export const RequestState = named(
	'RequestState',
	'A collection request with everything except its webhook secret',
	{
		environment: text('staging or production'),
		request: ref(CollectionRequest),
		share: Type.Union([ref(Share), Type.Null()], { description: 'null while none exists' }),
		guestLink: text('Where participants answer'),
		webhook: nullable(
			record('Where notifications go, or null', {
				url: text('Webhook URL'),
				identifier: nullable(text('Webhook identifier')),
			}),
		),
		participants: list('Who has joined', ref(Guest)),
		deliveries: list('The deliveries, newest first', ref(Delivery)),
	},
);

export const Call = named('Call', 'A call to /di/… as it was received', {
	method: text('HTTP method'),
	url: text('Path and query, raw as received'),
	headers: Type.Record(Type.String(), Type.Unknown(), {
		description: 'Header names in lower case; key and token read `(hidden)` by default',
	}),
	body: Type.Unknown({ description: 'The parsed JSON body; null when there was none' }),
	status: nullable(integer('Status code of the response; null until then')),
});

export type Guest = Static<typeof Guest>;
export type RequestState = Static<typeof RequestState>;
export type Delivery = Static<typeof Delivery>;
export type Call = Static<typeof Call>;
