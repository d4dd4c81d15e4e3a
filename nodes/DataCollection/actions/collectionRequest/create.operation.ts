import type { INodeProperties } from 'n8n-workflow';

import type { CreateCollectionRequest, InvitedParticipant } from '../../api/types';
import { aboutRequest } from '../../guestLink';
import { parseNumber } from '../../parse';
import type { Output, Run } from '../operation';
import { hint } from '../operation';
import { callOptionsField, callOptionsOf, choiceOf, inputError, textOf } from '../parameters';
import { createOnce } from './createOnce';
import { participantFields, participantsOf } from './participants';
import { notifyFields, webhookTarget } from './notify';

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
		description: 'ID of the form template that participants fill in',
	},
	{
		displayName: 'Child Account ID',
		name: 'childAccountId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c1',
		description:
			'ID of the child account to create the collection request under. Leave empty if you have none.',
	},
	{
		displayName: 'Minimum Participants',
		name: 'minimumParticipants',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 1,
		description: 'How many participants are needed before the collection request can be completed',
	},
	{
		displayName: 'Maximum Participants',
		name: 'maximumParticipants',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 10,
		description: 'How many participants can join at most',
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
		const output = choiceOf(run, itemIndex, outputField);
		if (invited.length === 0) hint(run, 'No participant is invited: Participants is empty.');
		return async () => {
			const response = await run.api.createCollectionRequest(body, options);
			const created = aboutRequest(run.connection.collectUrl, response._id, response);
			if (output !== 'participants' || invited.length === 0) return [created];
			const { requestId, guestLink } = created;
			return invited.map(({ name = null, email = null, phoneNumber = null, isAdmin = false }) => {
				return { requestId, guestLink, name, email, phoneNumber, isAdmin };
			});
		};
	});

/** The request body, with only the set fields: the API does not say which ones are required. */
function bodyOf(run: Run, itemIndex: number, participantList: InvitedParticipant[]) {
	const minimumParticipants = limitOf(run, itemIndex, 'minimum');
	const maximumParticipants = limitOf(run, itemIndex, 'maximum');
	if ((minimumParticipants ?? 0) > (maximumParticipants ?? Infinity)) {
		const message = `Minimum Participants (${minimumParticipants}) is above Maximum Participants (${maximumParticipants})`;
		throw inputError(run, itemIndex, message, 'Lower the minimum or raise the maximum.');
	}
	const identifier = 'additionalFields.webhookIdentifier';
	const body: CreateCollectionRequest = {
		templateId: textOf(run, itemIndex, 'templateId', 'Template ID'),
		childAccountId: textOf(run, itemIndex, 'childAccountId', 'Child Account ID'),
		minimumParticipants,
		maximumParticipants,
		participantList: participantList.length > 0 ? participantList : undefined,
		webhookIdentifier: textOf(run, itemIndex, identifier, 'Webhook Identifier'),
	};
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function limitOf(run: Run, itemIndex: number, which: 'minimum' | 'maximum'): number | undefined {
	const given: unknown = run.context.getNodeParameter(`${which}Participants`, itemIndex, undefined);
	const value = typeof given === 'string' ? given.trim() : (given ?? '');
	if (value === '') return undefined;
	const number = parseNumber(value) ?? NaN;
	if (Number.isSafeInteger(number) && number >= 0) return number;
	const label = which === 'minimum' ? 'Minimum Participants' : 'Maximum Participants';
	const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const advice =
		'Enter a whole number of 0 or more, such as 2. To leave the field out, use an expression that returns nothing.';
	throw inputError(run, itemIndex, `${label} is not a whole number: ${shown.slice(0, 50)}`, advice);
}
