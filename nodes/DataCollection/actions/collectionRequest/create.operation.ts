import type { INodeProperties } from 'n8n-workflow';

import type { CreateCollectionRequest, InvitedParticipant } from '../../api/types';
import { requestItem } from '../../guestLink';
import { parseNumber } from '../../fields';
import type { Output, Run } from '../operation';
import { hint } from '../operation';
import { callOptionsField, callOptionsOf, choiceOf, inputError, textOf } from '../parameters';
import { createOnce } from './createOnce';
import { notifyFields, webhookTarget } from './notify';
import { firstByEmail, participantFields, participantsOf } from './participants';

const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Collection Request',
			value: 'collectionRequest',
			description: 'One item with the collection request',
		},
		{
			name: 'Participants',
			value: 'participants',
			description:
				'One item for each invited participant, e.g. to email them; the collection request if nobody is invited',
		},
	],
	default: 'collectionRequest',
	description: 'What to return for each input item',
};

export const description: INodeProperties[] = [
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c0',
		description:
			'ID of the form template that participants fill in. The provider of the service tells you where to find it. The sandbox takes any text.',
	},
	...participantFields,
	...notifyFields,
	outputField,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Child Account ID',
				name: 'childAccountId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c1',
				description: 'ID of the child account to create the collection request under',
			},
			{
				displayName: 'Minimum Participants',
				name: 'minimumParticipants',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 2,
				description:
					'How many participants are needed before the collection request can be completed. If not set: everybody who is invited, or 1 if nobody is.',
			},
			{
				displayName: 'Maximum Participants',
				name: 'maximumParticipants',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 10,
				description:
					'How many participants can join at most. If not set: 10, or more if more people are invited or needed.',
			},
			{
				displayName: 'Webhook Identifier',
				name: 'webhookIdentifier',
				type: 'string',
				default: '',
				placeholder: 'e.g. onboarding',
				description: 'Text of your choice that every notification includes',
			},
		],
	},
	callOptionsField(),
];

const NOBODY = 'No participant is invited: Participants is empty.';
const NO_EMAIL =
	'A participant has no email, so an email node after this one will stop there. Enter an email, or let a Filter node pass on only the items that have one.';

/**
 * Creates a collection request. Outputs one item, or one per invited participant, as entered.
 * Everything that can fail is read before, because an error after it would lose the new ID.
 */
export const prepare = async (run: Run, itemIndex: number): Promise<() => Promise<Output>> =>
	await createOnce(run, itemIndex, async () => {
		const invited = participantsOf(run, itemIndex);
		const body: CreateCollectionRequest = {
			...bodyOf(run, itemIndex, invited),
			...(await webhookTarget(run, itemIndex)),
		};
		const options = callOptionsOf(run, itemIndex);
		const isPerParticipant = choiceOf(run, itemIndex, outputField) === 'participants';
		if (invited.length === 0) hint(run, NOBODY);
		if (isPerParticipant && invited.some(({ email }) => !email)) hint(run, NO_EMAIL);
		return async () => {
			const response = await run.api.createCollectionRequest(body, options);
			const created = requestItem(run.connection.collectUrl, response._id, response);
			if (!isPerParticipant || invited.length === 0) return [created];
			const { requestId, guestLink } = created;
			return invited.map(({ name = null, email = null, phoneNumber = null, isAdmin = false }) => {
				return { requestId, guestLink, name, email, phoneNumber, isAdmin };
			});
		};
	});

/** The request body, with only the set fields: the API does not say which ones are required. */
function bodyOf(run: Run, itemIndex: number, participantList: InvitedParticipant[]) {
	const additional = (name: string, label: string) =>
		textOf(run, itemIndex, `additionalFields.${name}`, label);
	const body: CreateCollectionRequest = {
		templateId: textOf(run, itemIndex, 'templateId', 'Template ID'),
		childAccountId: additional('childAccountId', 'Child Account ID'),
		...limitsOf(run, itemIndex, firstByEmail(participantList).size),
		participantList: participantList.length > 0 ? participantList : undefined,
		webhookIdentifier: additional('webhookIdentifier', 'Webhook Identifier'),
	};
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/**
 * The limits for this number of invited people. One that is not set lets everybody take part and
 * makes everybody count, as far as the other one allows.
 */
function limitsOf(run: Run, itemIndex: number, people: number) {
	const refuse = (message: string, advice: string) => inputError(run, itemIndex, message, advice);
	const minimum = limitOf(run, itemIndex, 'minimum');
	const maximum = limitOf(run, itemIndex, 'maximum');
	if ((minimum ?? 0) > (maximum ?? Infinity)) {
		const message = `Minimum Participants (${minimum}) is above Maximum Participants (${maximum})`;
		throw refuse(message, 'Lower the minimum or raise the maximum.');
	}
	if (people > (maximum ?? Infinity)) {
		const message = `More people are invited (${people}) than Maximum Participants (${maximum}) allows`;
		throw refuse(message, 'Raise the maximum, or remove it so that everybody can join.');
	}
	if (people > 0 && (minimum ?? 0) > people) {
		const message = `Minimum Participants (${minimum}) is above the number of invited people (${people}): others have to join before the collection request can be completed.`;
		hint(run, message);
	}
	return {
		minimumParticipants: minimum ?? Math.min(Math.max(1, people), maximum ?? Infinity),
		maximumParticipants: maximum ?? Math.max(10, people, minimum ?? 0),
	};
}

/** A limit as entered, or undefined if it is not set. */
function limitOf(run: Run, itemIndex: number, which: 'minimum' | 'maximum'): number | undefined {
	const name = `additionalFields.${which}Participants`;
	const given: unknown = run.context.getNodeParameter(name, itemIndex, '');
	const value = typeof given === 'string' ? given.trim() : (given ?? '');
	if (value === '') return undefined;
	const number = parseNumber(value) ?? NaN;
	if (Number.isSafeInteger(number) && number >= 0) return number;
	const label = which === 'minimum' ? 'Minimum Participants' : 'Maximum Participants';
	const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const advice = 'Enter a whole number of 0 or more, such as 2, or remove the field.';
	throw inputError(run, itemIndex, `${label} is not a whole number: ${shown.slice(0, 50)}`, advice);
}
