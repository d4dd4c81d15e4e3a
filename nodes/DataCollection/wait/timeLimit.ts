import { type INodeProperties, tryToParseDateTime } from 'n8n-workflow';

import { userError } from '../n8n/errors';
import { callsWorkflow, downstreamNodes, isTool } from '../n8n/graph';
import { outputHint } from '../n8n/hints';
import { outputsOf } from '../n8n/earlierItems';
import type { Parameters } from '../n8n/parameters';
import { assertTimedOutLeaves, NEVER, storableEnd } from '../n8n/suspension';
import type { Run } from '../requests/run';
import { requestIdsOf } from './pairing';

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
 * When the limit ends the wait, in milliseconds since 1970. Throws a UserError if the fields give no
 * valid time, or if this n8n would lose what times out.
 */
export function readEnd(run: Pick<Run, 'context'>, parameters: Parameters, now: number): number {
	if (!parameters.boolean(limitField)) return NEVER;
	assertTimedOutLeaves(run);
	if (parameters.option(limitTypeField) === 'afterTimeInterval') {
		const unit = UNIT_MILLISECONDS[parameters.option(unitField)] ?? NaN;
		return storableEnd(now + parameters.number(amountField) * unit);
	}
	try {
		// A date without a time zone is in the workflow's time zone, as in n8n's own nodes.
		const date = parameters.value(dateField) as string;
		return storableEnd(tryToParseDateTime(date, run.context.getTimezone()).toMillis());
	} catch {
		const description =
			'Select a date and time, or use an expression that returns one, such as 2030-01-31T09:00:00.';
		throw userError({ message: 'Max Date and Time is not a valid date', description });
	}
}

/** The operations that tell what is completed from what is not. */
const READERS = ['checkStatus', 'get', 'getPeopleToRemind', 'wait'];

/**
 * A hint before the wait begins if nothing behind Timed Out reads again what leaves there. A
 * sub-workflow may do so, and an agent that uses the node as a tool.
 */
export function hintIfUnread(run: Run): void {
	const isReadAgain =
		isTool(run) ||
		downstreamNodes(run, 1).some((node) =>
			node.type === run.context.getNode().type
				? !node.disabled &&
					node.parameters?.resource === 'collectionRequest' &&
					READERS.includes(String(node.parameters.operation))
				: callsWorkflow(node),
		);
	if (!isReadAgain) {
		run.hint(
			'When the limit is over, everything that was awaited leaves by Timed Out, unread, also what is completed by then, and no node there reads it again. Lead Timed Out to Check Status, or to Get People to Remind.',
		);
	}
}

/**
 * Says that the limit was over before the wait began. Throws a UserError if that has happened to the
 * same collection requests before: a loop of reminders would remind people without a pause.
 */
export function hintIfOver(run: Run, requestIds: string[]): void {
	const timedOut = requestIdsOf(outputsOf(run, run.context.getNode().name, 1).flat());
	if (requestIds.some((id) => timedOut.includes(id))) {
		const message = 'Max Date and Time is over, and the same collection requests timed out before';
		const description =
			'For rounds of reminders, set Limit Type to After Time Interval. To give up at a fixed time, do not lead Timed Out back to this node.';
		throw userError({ message, description });
	}
	run.hint(
		'Max Date and Time is over already, so this node does not wait: everything that was awaited leaves by Timed Out at once, unread.',
	);
}

/** What the editor shows after a wait with a limit. */
export const limitHints = [
	outputHint(
		'$parameter["operation"] === "wait" && $parameter["limitWaitTime"] === true',
		'Timed Out has everything that was awaited, unread, also what is completed by now. Lead it to Check Status, or to Get People to Remind.',
	),
];
