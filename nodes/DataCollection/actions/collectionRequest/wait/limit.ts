import type { INodeProperties } from 'n8n-workflow';
import { tryToParseDateTime, WAIT_INDEFINITELY } from 'n8n-workflow';

import { inputError, parseNumber } from '../../../fields';
import type { Run } from '../../operation';

/** The time limit, with the same names and choices as in n8n's own Wait node. */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'boolean',
		default: false,
		description:
			'Whether to stop waiting after a certain time. All that is awaited then leaves by Timed Out, whatever has happened during the wait: read it again, or lead it back to this node.',
	},
	{
		displayName: 'Limit Type',
		name: 'limitType',
		type: 'options',
		options: [
			{ name: 'After Time Interval', value: 'afterTimeInterval' },
			{ name: 'At Specified Time', value: 'atSpecifiedTime' },
		],
		default: 'afterTimeInterval',
		displayOptions: { show: { limitWaitTime: [true] } },
	},
	{
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		typeOptions: { minValue: 0.01, numberPrecision: 2 },
		default: 1,
		displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
	},
	{
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
	},
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { limitWaitTime: [true], limitType: ['atSpecifiedTime'] } },
	},
];

const UNIT_SECONDS: Partial<Record<string, number>> = {
	seconds: 1,
	minutes: 60,
	hours: 60 * 60,
	days: 24 * 60 * 60,
};

/** The latest end of the wait. Throws a NodeOperationError if the fields give no valid time. */
export function waitTill(run: Pick<Run, 'context'>, itemIndex: number, now: Date): Date {
	const { context } = run;
	const isLimited = context.getNodeParameter('limitWaitTime', itemIndex, false) === true;
	if (!isLimited) return WAIT_INDEFINITELY;
	const limitType = context.getNodeParameter('limitType', itemIndex, 'afterTimeInterval');
	const endOf = limitType === 'atSpecifiedTime' ? atSpecifiedTime : afterTimeInterval;
	const end = endOf(run, itemIndex, now);
	// On SQLite, n8n keeps only four digits of a year: a wait until 12026 would be over at once.
	return end < WAIT_INDEFINITELY ? end : WAIT_INDEFINITELY;
}

function afterTimeInterval(run: Pick<Run, 'context'>, itemIndex: number, now: Date): Date {
	const { context } = run;
	// If an expression finds nothing, that does not mean 0: the wait would be over at once.
	const amount = parseNumber(context.getNodeParameter('resumeAmount', itemIndex, 1)) ?? NaN;
	const unit = UNIT_SECONDS[String(context.getNodeParameter('resumeUnit', itemIndex, 'hours'))];
	const end = new Date(now.getTime() + amount * (unit ?? NaN) * 1000);
	if (amount > 0 && !Number.isNaN(end.getTime())) return end;
	const advice = 'Enter a number above 0 and select a unit, e.g. 2 days.';
	throw inputError(run, itemIndex, 'Amount under Limit Wait Time is not a valid time', advice);
}

/** A date without a time zone is in the workflow's time zone, as in n8n's own nodes. */
function atSpecifiedTime(run: Pick<Run, 'context'>, itemIndex: number): Date {
	const value = run.context.getNodeParameter('maxDateAndTime', itemIndex, '');
	try {
		return tryToParseDateTime(value, run.context.getTimezone()).toJSDate();
	} catch {
		const advice =
			'Select a date and time, or use an expression that returns one, such as 2030-01-31T09:00:00.';
		throw inputError(run, itemIndex, 'Max Date and Time is not a valid date', advice);
	}
}
