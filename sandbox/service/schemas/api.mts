import { Type, type Static } from 'typebox';
import { integer, list, named, nullable, optional, record, ref } from './describe.mts';
import { text, timestamp, truth } from './describe.mts';

/** What counts as an email address, also on the guest page. */
export const EMAIL = { pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', maxLength: 254 };

const OTHERS = 'Other values are unknown';
const FIELDS = 'Which of its fields are always there, and whether it has others, is unknown';
const MEANING = 'Its meaning is unknown';
const CREATED = 'Everything but its ID is unknown';

export const Participant = named('Participant', ['A participant in a share', FIELDS], {
	account_id: text('Account ID of the participant'),
	accountType: text(['Values that appear: `organisation`, `user`', OTHERS]),
	accountSnapshot: record('The account as it was when it joined', {
		_id: text('Account ID'),
		name: text('Name'),
		email: nullable(text('Email address or null')),
		phoneNumber: nullable(text('Phone number or null')),
		displayPictureUrl: nullable(text('Picture URL or null')),
		parentAccountId: nullable(text('Parent account ID or null')),
	}),
	roles: list(['Values that appear: `organiser`, `admin`, `sharer`', OTHERS], text('A role')),
	...optional({ parentAccount_id: text('Present only on the organisation') }),
});

export const OtherField = named(
	'OtherField',
	['An answer', 'Who gave it, and whether it has other fields, is unknown', 'its question'],
	{
		value: text('The answer'),
		isMandatory: truth('Whether an answer was required'),
		type: text(['Value that appears: `text`', OTHERS]),
		label: text([
			'The question',
			'Whether labels can repeat is unknown',
			'labels repeat if several participants answer',
		]),
	},
);

export const UpdateLog = named('UpdateLog', ['A change of the share', FIELDS], {
	remark: text('What changed'),
	updatedByAccount_id: text('Account ID of who changed it'),
	updatedByAccountType: text('Account type of who changed it'),
	updatedByAccountSnapshot: record('Who changed it', { name: text('Name') }),
	updateTime: timestamp('When it changed'),
});

const template = {
	_id: text('Template ID'),
	purpose: text(['Purpose', 'Its values are unknown', 'its value']),
};

export const Share = named(
	'Share',
	['What the participants of a collection request have entered', FIELDS],
	{
		_id: text('Share ID'),
		deleteTime: nullable(
			text(['null when not deleted', 'Its type when it is not null is unknown', 'always null']),
		),
		schemaVersion: text('Version of the share record layout'),
		participants: list('The participants', ref(Participant)),
		otherFields: list('The answers', ref(OtherField)),
		template: record('The template', {
			...template,
			type: text(['Type', 'Its values are unknown', 'its value']),
		}),
		isQuotaLocked: truth(['A flag', MEANING, 'always false']),
		status: text(['Values that appear: `open`, `completed`', OTHERS]),
		agreements: list(
			['A list', 'The shape of its elements is unknown', 'always empty'],
			Type.Unknown(),
		),
		updateLogs: list('The changes', ref(UpdateLog)),
		isPublicJoin: truth(['A flag', MEANING, 'always false']),
		collectionRequestId: text('ID of the collection request the share belongs to'),
		createTime: timestamp('When the share was created'),
		lastUpdateTime: timestamp('When the share last changed'),
		__v: integer('Record revision counter'),
	},
);

export const CollectionRequest = named('CollectionRequest', ['A collection request', FIELDS], {
	_id: text('Collection request ID'),
	account_id: text('Owning account'),
	title: text(['Title', 'What it is made of is unknown', 'its text']),
	participantList: list(
		'The invited participants',
		record('An invited participant', { email: text('Email') }),
	),
	minimumParticipants: integer('Minimum participants required'),
	maximumParticipants: integer('Maximum participants allowed'),
	shareStatus: text([
		'Current status of the share. Values that appear: `open`, `completed`',
		`${OTHERS}, and so is its value before a share exists`,
		'`open` before one exists',
	]),
	createTime: timestamp('When the request was created'),
	...optional({
		shareId: text('Present once a share has been created; use it to read the share'),
	}),
	template: record('The template', template),
});

export const Created = named('Created', ['The new collection request', CREATED, 'only its ID'], {
	_id: text('ID of the new collection request'),
});

export const ParticipantDetails = named(
	'ParticipantDetails',
	['An invited participant', 'Which fields are required is unknown'],
	optional({
		email: text(['Email address', 'What is accepted is unknown', 'its form is checked'], EMAIL),
		phoneNumber: text('Phone number'),
		name: text('Name'),
		isAdmin: truth([
			'Whether the participant is an admin',
			'What that permits is unknown',
			'the role `admin`',
		]),
	}),
);

const NUMBERS = 'Which numbers are allowed, and what holds without it, is unknown';
const AT_LEAST = 'whole, from 0, at most the maximum; 1 unless given';
const AT_MOST = 'whole, from 1; 10 or what is needed unless given';
const limit = (known: string, minimum: number, choice: string) =>
	integer([known, NUMBERS, choice], { minimum });
const CREATE_CHECKS =
	'Which fields but `webhookIdentifier` are required is unknown, and so are the checks';

export const CreateCollectionRequest = named(
	'CreateCollectionRequestDto',
	['A create call', CREATE_CHECKS],
	{
		templateId: text(['Form ID of the request', 'Whether it is required is unknown', 'it is'], {
			pattern: '\\S',
		}),
		...optional({
			childAccountId: text('Child account under which the request is created'),
			minimumParticipants: limit('Minimum participants required', 0, AT_LEAST),
			maximumParticipants: limit('Maximum participants allowed', 1, AT_MOST),
			participantList: list('Invited participants', ref(ParticipantDetails)),
			webhookUrl: text([
				'Receives notifications',
				'Which URLs are accepted is unknown',
				'http or https, with webhookSecret',
			]),
			webhookSecret: text('Secret used to sign webhook notifications'),
			webhookIdentifier: text('Optional; custom identifier, echoed in webhook payloads'),
		}),
	},
);

export const Notification = named('Notification', 'The payload of a notification', {
	event: text(['Event type. Value that appears: `collection_request.updated`', OTHERS]),
	requestId: text('ID of the collection request'),
	shareStatus: text(['Current status of the share', OTHERS]),
	...optional({
		webhookIdentifier: text([
			'The identifier given at creation',
			'What it is when none was given is unknown',
			'left out when none was given',
		]),
	}),
	timestamp: text(
		[
			'Digits; time the notification was generated',
			'Its unit is unknown, and so is whether the header always equals it',
			'milliseconds, as in the header',
		],
		{ pattern: '^[0-9]+$' },
	),
});

export const ErrorBody = named(
	'Error',
	['An error', 'Status codes and the shape of the body are unknown', 'its shape'],
	{
		code: text('A code for programs, e.g. `not_found`'),
		message: text('A sentence for people'),
	},
);

export type OtherField = Static<typeof OtherField>;
export type Share = Static<typeof Share>;
export type CollectionRequest = Static<typeof CollectionRequest>;
export type CreateCollectionRequest = Static<typeof CreateCollectionRequest>;
export type Notification = Static<typeof Notification>;
export type ErrorBody = Static<typeof ErrorBody>;
