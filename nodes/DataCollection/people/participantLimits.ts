import type { INodeProperties } from 'n8n-workflow';

import { userError } from '../n8n/errors';
import type { Parameters } from '../n8n/parameters';
import type { Run } from '../shared/operation';

const minimumField: INodeProperties = {
	displayName: 'Minimum Participants',
	name: 'minimumParticipants',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 2,
	description:
		'How many participants are needed before the collection request can be completed. If not set: everybody who is invited, or 1 if nobody is.',
};

const maximumField: INodeProperties = {
	displayName: 'Maximum Participants',
	name: 'maximumParticipants',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 10,
	description:
		'How many participants can join at most. If not set: 10, or more if more people are invited or needed.',
};

/** How many participants there may and must be. {@link readLimits} takes these fields. */
export const participantLimitFields: INodeProperties[] = [maximumField, minimumField];

export interface Limits {
	minimumParticipants: number;
	maximumParticipants: number;
}

/**
 * The limits for this number of invited people. One that is not set lets everybody take part and
 * makes everybody count, as far as the other limit allows.
 */
export function readLimits(parameters: Parameters, hint: Run['hint'], people: number): Limits {
	const minimum = parameters.optionalNumber(minimumField, 'additionalFields');
	const maximum = parameters.optionalNumber(maximumField, 'additionalFields');
	if ((minimum ?? 0) > (maximum ?? Infinity)) {
		const message = `Minimum Participants (${minimum}) is above Maximum Participants (${maximum})`;
		throw userError({ message, description: 'Lower the minimum or raise the maximum.' });
	}
	if (people > (maximum ?? Infinity)) {
		const message = `More people are invited (${people}) than Maximum Participants (${maximum}) allows`;
		const description = 'Raise the maximum, or remove it so that everybody can join.';
		throw userError({ message, description });
	}
	if (people > 0 && (minimum ?? 0) > people) {
		hint(
			`Minimum Participants (${minimum}) is above the number of invited people (${people}): others have to join before the collection request can be completed.`,
		);
	}
	return {
		minimumParticipants: minimum ?? Math.min(Math.max(1, people), maximum ?? Infinity),
		maximumParticipants: maximum ?? Math.max(10, people, minimum ?? 0),
	};
}
