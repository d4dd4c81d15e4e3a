import type { INodeProperties } from 'n8n-workflow';
import { tryToParseDateTime, WAIT_INDEFINITELY } from 'n8n-workflow';

import type { Parameters } from '../../../parameters';
import { parametersOf, parseNumber } from '../../../parameters';
import type { Run } from '../../operation';

const limitField: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'boolean',
	default: false,
	description:
		'Whether to stop waiting after a certain time. All that is awaited then leaves by Timed Out, whatever has happened during the wait: read it again, or lead it back to this node.',
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

const timedOutNotice: INodeProperties = {
	displayName:
		'When the time is over, all that is awaited leaves by <b>Timed Out</b>. To wait again, lead it back to this node, e.g. behind reminders. Limit the number of rounds, e.g. with an If node and {{ $runIndex &lt; 3 }}.',
	name: 'timedOutNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { limitWaitTime: [true] } },
};

/** The time limit, with the same names and choices as in n8n's own Wait node. */
export const limitFields: INodeProperties[] = [
	limitField,
	limitTypeField,
	amountField,
	unitField,
	dateField,
	timedOutNotice,
];

const UNIT_SECONDS: Partial<Record<string, number>> = {
	seconds: 1,
	minutes: 60,
	hours: 60 * 60,
	days: 24 * 60 * 60,
};

/** The latest end of the wait. Throws a NodeOperationError if the fields give no valid time. */
export function waitTill({ context }: Pick<Run, 'context'>, now: Date): Date {
	const given = parametersOf(context, 0);
	if (!given.flag(limitField)) return WAIT_INDEFINITELY;
	const isInterval = given.choice(limitTypeField) === 'afterTimeInterval';
	const end = isInterval ? intervalEnd(given, now) : specifiedTime(given, context.getTimezone());
	// On SQLite, n8n keeps only four digits of a year: a wait until 12026 would be over at once.
	return end < WAIT_INDEFINITELY ? end : WAIT_INDEFINITELY;
}

function intervalEnd(given: Parameters, now: Date): Date {
	// If an expression finds nothing, that does not mean 0: the wait would be over at once.
	const amount = parseNumber(given.value(amountField)) ?? NaN;
	const unit = UNIT_SECONDS[given.choice(unitField)] ?? NaN;
	const end = new Date(now.getTime() + amount * unit * 1000);
	if (amount > 0 && !Number.isNaN(end.getTime())) return end;
	const advice = 'Enter a number above 0 and select a unit, e.g. 2 days.';
	throw given.wrong({ message: 'Amount under Limit Wait Time is not a valid time', advice });
}

/** A date without a time zone is in the workflow's time zone, as in n8n's own nodes. */
function specifiedTime(given: Parameters, timezone: string): Date {
	try {
		return tryToParseDateTime(given.value(dateField) as string, timezone).toJSDate();
	} catch {
		const advice =
			'Select a date and time, or use an expression that returns one, such as 2030-01-31T09:00:00.';
		throw given.wrong({ message: 'Max Date and Time is not a valid date', advice });
	}
}
