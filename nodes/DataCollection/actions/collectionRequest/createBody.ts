import type { IExecuteFunctions } from 'n8n-workflow';

import type { CreateCollectionRequest } from '../../shared/types';
import { inputError } from '../operation';
import { participantsOf } from './participants';

/**
 * Reads the parameters of `createFields.ts` into the body of a create (Resources, Create-request
 * body). Holds only fields that were set: which ones the service requires is not shown.
 */
export function createBody(this: IExecuteFunctions, itemIndex: number): CreateCollectionRequest {
	const minimumParticipants = wholeNumber.call(this, 'minimumParticipants', itemIndex);
	const maximumParticipants = wholeNumber.call(this, 'maximumParticipants', itemIndex);
	if (
		minimumParticipants !== undefined &&
		maximumParticipants !== undefined &&
		minimumParticipants > maximumParticipants
	) {
		throw inputError.call(
			this,
			itemIndex,
			`Minimum Participants (${minimumParticipants}) is above Maximum Participants (${maximumParticipants})`,
			'Lower the minimum or raise the maximum.',
		);
	}
	const participantList = participantsOf.call(this, itemIndex);
	return onlySet({
		templateId: textParameter.call(this, 'templateId', itemIndex),
		childAccountId: textParameter.call(this, 'childAccountId', itemIndex),
		minimumParticipants,
		maximumParticipants,
		participantList: participantList.length > 0 ? participantList : undefined,
		webhookIdentifier: textParameter.call(this, 'additionalFields.webhookIdentifier', itemIndex),
	});
}

/** Leaves out what is undefined. */
function onlySet(body: CreateCollectionRequest): CreateCollectionRequest {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

const TEXT_LABELS = {
	templateId: 'Template ID',
	childAccountId: 'Child Account ID',
	webhookUrl: 'Webhook URL',
	'additionalFields.webhookIdentifier': 'Webhook Identifier',
};

/** A text parameter without surrounding spaces, undefined when nothing was entered. */
export function textParameter(
	this: IExecuteFunctions,
	name: keyof typeof TEXT_LABELS,
	itemIndex: number,
): string | undefined {
	const value: unknown = this.getNodeParameter(name, itemIndex, '');
	if (value === null || value === undefined) return undefined;
	if (typeof value === 'string' || typeof value === 'number') {
		return String(value).trim() || undefined;
	}
	throw inputError.call(
		this,
		itemIndex,
		`${TEXT_LABELS[name]} is not a text`,
		'Check the expression: it gives an object or a list.',
	);
}

const NUMBER_LABELS = {
	minimumParticipants: 'Minimum Participants',
	maximumParticipants: 'Maximum Participants',
};

function wholeNumber(
	this: IExecuteFunctions,
	name: keyof typeof NUMBER_LABELS,
	itemIndex: number,
): number | undefined {
	const given: unknown = this.getNodeParameter(name, itemIndex, undefined);
	const value = typeof given === 'string' ? given.trim() : given;
	if (value === undefined || value === null || value === '') return undefined;
	const number = typeof value === 'string' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
	throw inputError.call(
		this,
		itemIndex,
		`${NUMBER_LABELS[name]} is not a whole number`,
		'Enter a number such as 2, without decimals, or clear the field with an expression to leave it out.',
	);
}
