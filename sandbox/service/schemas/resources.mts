import { integer, list, nullableText, OWN_CHOICE, record, ref } from './describe.mts';
import { text, timestamp, truth } from './describe.mts';

const participant = {
	$id: 'Participant',
	...record(
		'A participant in a share',
		{
			account_id: text('Account ID of the participant'),
			accountType: text('Values appearing: `organisation`, `user`'),
			accountSnapshot: record('The account as it was when it joined', {
				_id: text('Account ID'),
				name: text('Name'),
				email: nullableText('Email address or null'),
				phoneNumber: nullableText('Phone number or null'),
				displayPictureUrl: nullableText('Picture URL or null'),
				parentAccountId: nullableText('Parent account ID or null'),
			}),
			roles: list('Values appearing: `organiser`, `admin`, `sharer`', text('Role')),
			parentAccount_id: text('Present only on some participants (the organisation participant)'),
		},
		['parentAccount_id'],
	),
};

const otherField = {
	$id: 'OtherField',
	...record(`An answer. ${OWN_CHOICE}: the questions, and that labels repeat`, {
		value: text('The answer'),
		isMandatory: truth('Whether an answer was required'),
		type: text('Value appearing: `text`'),
		label: text('The question'),
	}),
};

const updateLog = {
	$id: 'UpdateLog',
	...record('A change of the share', {
		remark: text('What changed'),
		updatedByAccount_id: text('Account ID of who changed it'),
		updatedByAccountType: text('Account type of who changed it'),
		updatedByAccountSnapshot: record('Who changed it', { name: text('Name') }),
		updateTime: timestamp('When it changed'),
	}),
};

const share = {
	$id: 'Share',
	...record('What the participants of a collection request have entered', {
		_id: text('Share ID'),
		deleteTime: {
			type: ['string', 'null'],
			description: 'null when not deleted; a timestamp otherwise',
		},
		schemaVersion: text('Version of the share record layout'),
		participants: list('The participants', ref('Participant')),
		otherFields: list('The answers', ref('OtherField')),
		template: record('The template', {
			_id: text('Template ID'),
			purpose: text(`Purpose. ${OWN_CHOICE}: its value`),
			type: text(`Type. ${OWN_CHOICE}: its value`),
		}),
		isQuotaLocked: truth('Its meaning is not shown'),
		status: text('Values that appear: `open`, `completed`'),
		agreements: { type: 'array', description: 'The shape of its elements is not shown' },
		updateLogs: list('The changes', ref('UpdateLog')),
		isPublicJoin: truth('Its meaning is not shown'),
		collectionRequestId: text('ID of the collection request the share belongs to'),
		createTime: timestamp('When the share was created'),
		lastUpdateTime: timestamp('When the share last changed'),
		__v: integer('Record revision counter'),
	}),
};

const collectionRequest = {
	$id: 'CollectionRequest',
	...record(
		'A collection request',
		{
			_id: text('Collection request ID'),
			account_id: text('Owning account'),
			title: text(`Title. ${OWN_CHOICE}: its text`),
			participantList: list('The invited', record('One of them', { email: text('Email') })),
			minimumParticipants: integer('Minimum participants required'),
			maximumParticipants: integer('Maximum participants allowed'),
			shareStatus: text(`Current status of the share. ${OWN_CHOICE}: \`open\` before one exists`),
			createTime: timestamp('When the request was created'),
			shareId: text('Present once a share has been created; use it to read the share'),
			template: record('The template', {
				_id: text('Template ID'),
				purpose: text(`Purpose. ${OWN_CHOICE}: its value`),
			}),
		},
		['shareId'],
	),
};

const error = {
	$id: 'Error',
	...record(`An error. ${OWN_CHOICE}: its shape`, {
		code: text('A word for programs, e.g. `not_found`'),
		message: text('A sentence for people'),
	}),
};

export const resourceSchemas = [
	participant,
	otherField,
	updateLog,
	share,
	collectionRequest,
	error,
];
