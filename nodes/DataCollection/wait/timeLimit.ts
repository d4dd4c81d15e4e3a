import { type INodeProperties, tryToParseDateTime } from 'n8n-workflow';

import { userError } from '../n8n/errors';
import { isTool } from '../n8n/graph';
import { type Parameters, parametersOf } from '../n8n/parameters';
import { assertTimedOutLeaves, NEVER } from '../n8n/suspension';
import type { Run } from '../operation/operation';

const limitField: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'boolean',
	default: false,
	description:
		'Whether to stop waiting after a certain time. All that is awaited then leaves by Timed Out, unread, also what is completed by then: lead it to Check Status, to Get People to Remind, or back to this node. Limit the number of such rounds, e.g. with an If node that checks $runIndex.',
};

const limitTypeField: INodeProperties = {
	displayName: 'Limit Type',
	name: 'limitType',
	type: 'options',
	options: [
		{ name: 'After Time Interval', value: 'afterTimeInterval' },
		{ name: 'At Specified Time', value: 'atSpecifiedTime' },
	],
	default: 'afterTimeInterval',
	displayOptions: { show: { limitWaitTime: [true] } },
};

const amountField: INodeProperties = {
	displayName: 'Amount',
	name: 'resumeAmount',
	type: 'number',
	typeOptions: { minValue: 0.01, numberPrecision: 2 },
	default: 1,
	displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
};

const unitField: INodeProperties = {
	displayName: 'Unit',
	name: 'resumeUnit',
	type: 'options',
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
		{ name: 'Seconds', value: 'seconds' },
	],
	default: 'hours',
	displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
};

const dateField: INodeProperties = {
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	required: true,
	default: '',
	displayOptions: { show: { limitWaitTime: [true], limitType: ['atSpecifiedTime'] } },
};

/** The time limit, with the same names and choices as in n8n's own Wait node. */
export const limitFields: INodeProperties[] = [
	limitField,
	limitTypeField,
	amountField,
	unitField,
	dateField,
];

const UNIT_MILLISECONDS: Partial<Record<string, number>> = {
	seconds: 1_000,
	minutes: 60_000,
	hours: 3_600_000,
	days: 24 * 3_600_000,
};

/**
 * When the limit ends the wait, in milliseconds since 1970. Throws a UserError if the fields
 * give no valid time, or if this n8n would lose what times out.
 */
export function readEnd(run: Pick<Run, 'context'>, now: number): number {
	const parameters = parametersOf(run.context, 0);
	if (!parameters.boolean(limitField)) return NEVER;
	if (!isTool(run)) assertTimedOutLeaves(run);
	const isInterval = parameters.option(limitTypeField) === 'afterTimeInterval';
	const end = isInterval
		? now + readInterval(parameters)
		: readTime(parameters, run.context.getTimezone());
	// On SQLite, n8n keeps only four digits of a year: a wait until 12026 would be over at once.
	return Math.min(end, NEVER);
}

const readInterval = (parameters: Parameters): number =>
	parameters.number(amountField) * (UNIT_MILLISECONDS[parameters.option(unitField)] ?? NaN);

/** A date without a time zone is in the workflow's time zone, as in n8n's own nodes. */
function readTime(parameters: Parameters, timezone: string): number {
	try {
		return tryToParseDateTime(parameters.value(dateField) as string, timezone).toMillis();
	} catch {
		const description =
			'Select a date and time, or use an expression that returns one, such as 2030-01-31T09:00:00.';
		throw userError({ message: 'Max Date and Time is not a valid date', description });
	}
}
