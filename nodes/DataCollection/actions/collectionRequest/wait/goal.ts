import type { INodeProperties } from 'n8n-workflow';

import { inputError, listIn, parseWords } from '../../../fields';
import type { Run } from '../../operation';
import { readChoice, readOptionalNumber, readRequestId } from '../../parameters';
import type { AwaitedItem, Goal } from './state';
import { idsOf } from './state';

/** The maximum number of collection requests in one wait. */
const MAXIMUM_REQUESTS = 100;

/** The statuses that the API shows (Statuses). */
const KNOWN_STATUSES = ['completed', 'open'];

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
		{ name: 'Opened', value: 'open', description: 'Until every collection request is open' },
		{
			name: 'Other Statuses',
			value: 'statuses',
			description: 'Until every collection request has one of the statuses that you enter',
		},
	],
	default: 'completed',
	description: 'The share status to wait for',
};

/** The fields that say what is awaited. {@link readGoal} reads them. */
export const goalFields: INodeProperties[] = [
	waitForField,
	{
		displayName: 'Wait for Statuses',
		name: 'waitForStatuses',
		type: 'string',
		required: true,
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
		default: [],
		placeholder: 'e.g. archived',
		description: 'Any one of these ends the wait for a collection request; case does not matter',
		displayOptions: { show: { waitFor: ['statuses'] } },
	},
];

/** Options > Number to Wait For. {@link readGoal} reads it. */
export const numberOption: INodeProperties = {
	displayName: 'Number to Wait For',
	name: 'numberToWaitFor',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'How many of the collection requests must reach the status, e.g. 2 for the first two of five offers. All of them if you do not add this option.',
};

/** Reads what each item waits for, and how many collection requests must get there. */
export function readGoal(run: Run): Goal {
	const awaited = run.context.getInputData().map((_item, itemIndex): AwaitedItem => {
		const requestId = readRequestId(run, itemIndex);
		const waitFor = readChoice(run, itemIndex, waitForField);
		return { requestId, statuses: waitFor === 'statuses' ? statusesOf(run, itemIndex) : [waitFor] };
	});
	const tooMuch = idsOf(awaited)[MAXIMUM_REQUESTS];
	if (tooMuch === undefined) return { awaited, needed: numberOf(run, idsOf(awaited).length) };
	const itemIndex = awaited.findIndex(({ requestId }) => requestId === tooMuch);
	const message = `Wait takes up to ${MAXIMUM_REQUESTS} collection requests at a time`;
	const advice =
		'For more, set Report Status Changes To in Create to A Trigger: a Data Collection Trigger then starts a workflow for each collection request.';
	throw inputError(run, itemIndex, message, advice);
}

function statusesOf(run: Run, itemIndex: number): string[] {
	const entered = run.context.getNodeParameter('waitForStatuses', itemIndex, []);
	const statuses = listIn(run, itemIndex, entered, parseWords, {
		label: 'Wait for Statuses',
		whenEmpty: 'is empty',
		advice: 'Enter at least one share status that ends the wait, e.g. completed.',
	});
	for (const status of statuses) {
		const meant = KNOWN_STATUSES.find((known) => isOneLetterAway(status.toLowerCase(), known));
		if (meant === undefined) continue;
		run.hint(`This node waits for the status "${status}". Did you mean "${meant}"?`);
	}
	return statuses;
}

/** Whether one letter was added, left out or replaced. */
function isOneLetterAway(text: string, word: string): boolean {
	if (text === word) return false;
	let same = 0;
	while (same < text.length && text[same] === word[same]) same += 1;
	const [rest, other] = [text.slice(same), word.slice(same)];
	return rest.slice(1) === other || rest === other.slice(1) || rest.slice(1) === other.slice(1);
}

function numberOf(run: Run, count: number): number {
	const number = readOptionalNumber(run, 0, 'options.numberToWaitFor', numberOption);
	if (number === undefined || number <= count) return number ?? count;
	const requests = count === 1 ? 'request' : 'requests';
	const message = `Number to Wait For is ${number}, but the input has ${count} collection ${requests}`;
	throw inputError(run, 0, message, 'Lower the number, or remove the option to wait for all.');
}
