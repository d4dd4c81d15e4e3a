import type { INodeProperties } from 'n8n-workflow';

import { userError } from '../n8n/errors';
import type { Parameters } from '../n8n/parameters';
import { NEVER, storableEnd } from '../n8n/suspension';

const limitField: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'boolean',
	default: false,
	description: 'Whether to stop waiting after a certain time',
};

const noLimitNotice: INodeProperties = {
	displayName: "Connect the next node with Done: nothing leaves by Time's Up while this is off.",
	name: 'noLimitNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { limitWaitTime: [false], '@tool': [false] } },
};

const limitNotice: INodeProperties = {
	displayName:
		"Everything that is awaited then leaves by <b>Time's Up</b>, also what is completed by then: connect it with <b>Check Status</b>, for the answers that are there and for who is missing, or with <b>Get People to Remind</b>.",
	name: 'limitNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { limitWaitTime: [true], '@tool': [false] } },
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

/** The same names and choices as in n8n's own Wait node. */
export const limitFields: INodeProperties[] = [
	limitField,
	noLimitNotice,
	limitNotice,
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

/** Milliseconds since 1970. Throws a UserError if the fields give no valid time. */
export function readEnd(parameters: Parameters, now: number): number {
	if (!parameters.boolean(limitField)) return NEVER;
	if (parameters.option(limitTypeField) === 'afterTimeInterval') {
		const unit = UNIT_MILLISECONDS[parameters.option(unitField)] ?? NaN;
		return storableEnd(now + parameters.number(amountField) * unit);
	}
	return storableEnd(parameters.date(dateField));
}

/** Throws a UserError if one timed out before: a loop would remind people without a pause. */
export function assertFirstTimeout(requestIds: string[], timedOutBefore: string[]): void {
	if (!requestIds.some((id) => timedOutBefore.includes(id))) return;
	const message = 'Max Date and Time is over, and the same collection requests timed out before';
	const description =
		"For rounds of reminders, set Limit Type to After Time Interval. To give up at a fixed time, do not lead Time's Up back to this node.";
	throw userError({ message, description });
}
