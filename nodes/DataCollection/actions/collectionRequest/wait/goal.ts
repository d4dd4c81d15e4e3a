import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { parametersOf, parseWords } from '../../../parameters';
import type { Run } from '../../operation';

const waitForField: INodeProperties = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'options',
	options: [
		{
			name: 'Completed',
			value: 'completed',
			description: 'Until every collection request is completed',
		},
		{
			name: 'Opened',
			value: 'open',
			description: 'Until every collection request is open or completed',
		},
		{
			name: 'Other Statuses',
			value: 'statuses',
			description: 'Until every collection request has one of the statuses that you enter',
		},
	],
	default: 'completed',
	description: 'The share status to wait for',
};

const statusesField: INodeProperties = {
	displayName: 'Wait for Statuses',
	name: 'waitForStatuses',
	type: 'string',
	required: true,
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
	default: [],
	placeholder: 'e.g. archived',
	description: 'Any one of these ends the wait for a collection request; case does not matter',
	displayOptions: { show: { waitFor: ['statuses'] } },
};

/** The fields that say which statuses are awaited, in the order in which the editor shows them. */
export const goalFields: INodeProperties[] = [waitForField, statusesField];

/** Options > Number to Wait For. {@link readNeeded} reads it. */
export const numberOption: INodeProperties = {
	displayName: 'Number to Wait For',
	name: 'numberToWaitFor',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'How many of the collection requests must reach the status, e.g. 2 for the first two of five offers. Only these come out. All of them if you do not add this option.',
};

/** The statuses of the choices in Wait For (Statuses). */
const STATUSES: Partial<Record<string, string[]>> = {
	completed: ['completed'],
	open: ['open', 'completed'],
};

/** The statuses of which a collection request must have one. */
export function readStatuses({ context }: Run): string[] {
	const given = parametersOf(context, 0);
	const chosen = STATUSES[given.choice(waitForField)];
	if (chosen !== undefined) return chosen;
	const advice = 'Enter at least one share status that ends the wait, e.g. completed.';
	return given.list(statusesField, parseWords, { whenEmpty: 'is empty', advice });
}

/** The same of another Wait, by its parameters as they are stored. Empty if an expression decides. */
export function statusesOf({ waitFor, waitForStatuses }: INodeParameters): string[] {
	const entered = waitFor === 'statuses' ? parseWords(waitForStatuses) : undefined;
	const statuses = STATUSES[String(waitFor)] ?? entered ?? [];
	return statuses.some((status) => status.startsWith('=')) ? [] : statuses;
}

/** How many of so many collection requests must get there. */
export function readNeeded(run: Run, count: number): number {
	const given = parametersOf(run.context, 0);
	const number = given.optionalNumber(numberOption, 'options');
	if (number === undefined || number <= count) return number ?? count;
	const message = `Number to Wait For is ${number}, but the number of collection requests is ${count}`;
	throw given.wrong({ message, advice: 'Lower the number, or remove the option to wait for all.' });
}
