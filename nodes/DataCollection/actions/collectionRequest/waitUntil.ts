import type { IExecuteFunctions } from 'n8n-workflow';
import { tryToParseDateTime, WAIT_INDEFINITELY } from 'n8n-workflow';

import { inputError } from '../operation';

const UNIT_SECONDS: Readonly<Record<string, number>> = {
	seconds: 1,
	minutes: 60,
	hours: 60 * 60,
	days: 24 * 60 * 60,
};

/**
 * When the wait ends at the latest, from the limit fields. Throws a NodeOperationError when they
 * make no time; called before anything is created.
 */
export function waitUntil(this: IExecuteFunctions, itemIndex: number, now: Date): Date {
	if (this.getNodeParameter('limitWaitTime', itemIndex, false) !== true) return WAIT_INDEFINITELY;
	return this.getNodeParameter('limitType', itemIndex, 'afterTimeInterval') === 'atSpecifiedTime'
		? atSpecifiedTime.call(this, itemIndex)
		: afterTimeInterval.call(this, itemIndex, now);
}

function afterTimeInterval(this: IExecuteFunctions, itemIndex: number, now: Date): Date {
	const amount = Number(this.getNodeParameter('resumeAmount', itemIndex, 1));
	const unit = UNIT_SECONDS[String(this.getNodeParameter('resumeUnit', itemIndex, 'hours'))];
	const end = new Date(now.getTime() + amount * (unit ?? NaN) * 1000);
	if (amount >= 0 && !Number.isNaN(end.getTime())) return end;
	throw inputError.call(
		this,
		itemIndex,
		'Amount of Limit Wait Time is not a time',
		'Enter a number of 0 or more and select a unit, e.g. 2 days.',
	);
}

/** A date without a zone is meant in the time zone of the workflow, as in n8n's own nodes. */
function atSpecifiedTime(this: IExecuteFunctions, itemIndex: number): Date {
	const value = this.getNodeParameter('maxDateAndTime', itemIndex, '');
	try {
		return tryToParseDateTime(value, this.getTimezone()).toJSDate();
	} catch {
		throw inputError.call(
			this,
			itemIndex,
			'Max Date and Time is not a date',
			'Select a date and a time, or let the expression give one like 2030-01-31T09:00:00.',
		);
	}
}
