import { Type, type Static } from 'typebox';
import { integer, list, named, nullable, OWN_CHOICE, record, ref } from './describe.mts';
import { text, timestamp, truth } from './describe.mts';

/** What looks like an email address, also on the guest page. */
export const EMAIL = { pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', maxLength: 254 };

export const Participant = named('Participant', 'A participant in a share', {
	account_id: text('Account ID of the participant'),
	accountType: text('Values appearing: `organisation`, `user`'),
	accountSnapshot: record('The account as it was when it joined', {
		_id: text('Account ID'),
		name: text('Name'),
		email: nullable(text('Email address or null')),
		phoneNumber: nullable(text('Phone number or null')),
		displayPictureUrl: nullable(text('Picture URL or null')),
		parentAccountId: nullable(text('Parent account ID or null')),
	}),
	roles: list('Values appearing: `organiser`, `admin`, `sharer`', text('Role')),
	parentAccount_id: Type.Optional(text('Present only on the organisation')),
});

export const OtherField = named('OtherField', `An answer. ${OWN_CHOICE}: its question`, {
	value: text('The answer'),
	isMandatory: truth('Whether an answer was required'),
	type: text('Value appearing: `text`'),
	label: text(`The question. ${OWN_CHOICE}: labels repeat if several participants answer`),
});

export const UpdateLog = named('UpdateLog', 'A change of the share', {
	remark: text('What changed'),
	updatedByAccount_id: text('Account ID of who changed it'),
	updatedByAccountType: text('Account type of who changed it'),
	updatedByAccountSnapshot: record('Who changed it', { name: text('Name') }),
	updateTime: timestamp('When it changed'),
});

const template = {
	_id: text('Template ID'),
	purpose: text(`Purpose. ${OWN_CHOICE}: its value`),
};

export const Share = named('Share', 'What the participants of a collection request have entered', {
	_id: text('Share ID'),
	deleteTime: nullable(text('null when not deleted; a timestamp otherwise')),
	schemaVersion: text('Version of the share record layout'),
	participants: list('The participants', ref(Participant)),
	otherFields: list('The answers', ref(OtherField)),
	template: record('The template', { ...template, type: text(`Type. ${OWN_CHOICE}: its value`) }),
	isQuotaLocked: truth('Its meaning is not shown'),
	status: text('Values that appear: `open`, `completed`'),
	agreements: list('The shape of its elements is not shown', Type.Unknown()),
	updateLogs: list('The changes', ref(UpdateLog)),
	isPublicJoin: truth('Its meaning is not shown'),
	collectionRequestId: text('ID of the collection request the share belongs to'),
	createTime: timestamp('When the share was created'),
	lastUpdateTime: timestamp('When the share last changed'),
	__v: integer('Record revision counter'),
});

export const CollectionRequest = named('CollectionRequest', 'A collection request', {
	_id: text('Collection request ID'),
	account_id: text('Owning account'),
	title: text(`Title. ${OWN_CHOICE}: its text`),
	participantList: list('The invited', record('One of them', { email: text('Email') })),
	minimumParticipants: integer('Minimum participants required'),
	maximumParticipants: integer('Maximum participants allowed'),
	shareStatus: text(`Current status of the share. ${OWN_CHOICE}: \`open\` before one exists`),
	createTime: timestamp('When the request was created'),
	shareId: Type.Optional(text('Present once a share has been created; use it to read the share')),
	template: record('The template', template),
});

export const ParticipantDetails = named('ParticipantDetails', 'An invited participant', {
	email: Type.Optional(text(`Email address. ${OWN_CHOICE}: its form is checked`, EMAIL)),
	phoneNumber: Type.Optional(text('Phone number')),
	name: Type.Optional(text('Name')),
	isAdmin: Type.Optional(truth('Whether the participant gets the role `admin`')),
});

export const CreateCollectionRequest = named('CreateCollectionRequestDto', 'A create call', {
	templateId: text(`Form ID of the request. ${OWN_CHOICE}: required`, { pattern: '\\S' }),
	childAccountId: Type.Optional(text('Child account under which the request is created')),
	minimumParticipants: Type.Optional(
		integer(`From 0, at most the maximum; 1 unless given. ${OWN_CHOICE}`, { minimum: 0 }),
	),
	maximumParticipants: Type.Optional(
		integer(`From 1; 10 or what is needed unless given. ${OWN_CHOICE}`, { minimum: 1 }),
	),
	participantList: Type.Optional(list('Invited participants', ref(ParticipantDetails))),
	webhookUrl: Type.Optional(
		text(`Receives notifications. ${OWN_CHOICE}: http or https, with webhookSecret`),
	),
	webhookSecret: Type.Optional(text('Secret used to sign webhook notifications')),
	webhookIdentifier: Type.Optional(text('Custom identifier, echoed in webhook payloads')),
});

export const Notification = named('Notification', 'The payload of a notification', {
	event: text('Event type, e.g. `collection_request.updated`'),
	requestId: text('ID of the collection request'),
	shareStatus: text('Current status of the share'),
	webhookIdentifier: Type.Optional(text('As given at creation; left out when none was')),
	timestamp: text(`Digits. ${OWN_CHOICE}: milliseconds, as in the header`, { pattern: '^[0-9]+$' }),
});

export const ErrorBody = named('Error', `An error. ${OWN_CHOICE}: its shape`, {
	code: text('A word for programs, e.g. `not_found`'),
	message: text('A sentence for people'),
});

export type OtherField = Static<typeof OtherField>;
export type Share = Static<typeof Share>;
export type CollectionRequest = Static<typeof CollectionRequest>;
export type CreateCollectionRequest = Static<typeof CreateCollectionRequest>;
export type Notification = Static<typeof Notification>;
export type ErrorBody = Static<typeof ErrorBody>;
