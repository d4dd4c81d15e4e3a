import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import type { CallOptions } from '../api/types';
import { parseHttpUrl } from '../credential/address';
import { parseNumber } from '../fields';
import { requestIdOfLink } from '../guestLink';
import type { Resource, Run } from './operation';

/** The parameters of a resource's operations. Each is shown only for its own operation. */
export const fieldsOf = (resource: string, operations: Resource): INodeProperties[] =>
	Object.entries(operations).flatMap(([operation, { description }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, description),
	);

/** The field that names the collection request. {@link readRequestId} reads it. */
export const requestIdField: INodeProperties = {
	displayName: 'Request ID',
	name: 'requestId',
	type: 'string',
	required: true,
	default: '={{ $json.requestId }}',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c2',
	description:
		'ID of the collection request, as returned by Create or the trigger, or its guest link',
};

/** The field Options with these options, in the order in which the editor shows them. */
export const optionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});

const concurrencyOption: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 5,
	description:
		'How many items to process at the same time, from 1 to 50; the output keeps their order',
};

const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'How many seconds to wait for a response from the service before giving up',
};

/** Options of an operation that calls the service for each item, including the given ones. */
export const callOptionsField = (...own: INodeProperties[]): INodeProperties =>
	optionsField([concurrencyOption, ...own, timeoutOption]);

/** An error about what the user entered: names the item and says what happened and what to do. */
export function inputError(
	{ context }: Pick<Run, 'context'>,
	itemIndex: number,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	// n8n replaces a message that contains an error code's name, and quoted input may contain one.
	error.message = message;
	return error;
}

/** A text without surrounding spaces, or undefined if it is empty. Numbers become text. */
export function readText(run: Run, itemIndex: number, name: string, label: string) {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '') ?? '';
	if (typeof value === 'string' || typeof value === 'number') {
		return String(value).trim() || undefined;
	}
	const advice = 'Check the expression: it returns an object or a list.';
	throw inputError(run, itemIndex, `${label} is not text`, advice);
}

/** One of a field's choices. Refuses any other value that an expression may give. */
export function readChoice(run: Run, itemIndex: number, field: INodeProperties): string {
	const value: unknown = run.context.getNodeParameter(field.name, itemIndex, field.default);
	const values = (field.options as INodePropertyOptions[]).map((option) => option.value);
	if (values.some((choice) => choice === value)) return String(value);
	const advice = `Select one of them, or use an expression that returns one of: ${values.join(', ')}.`;
	throw inputError(run, itemIndex, `${field.displayName} is not one of its choices`, advice);
}

/** A number field: its name in the editor, which numbers it takes, and what to do about others. */
export interface NumberRule {
	label: string;
	/** As in "Concurrency is not a whole number from 1 to 50". */
	kind: string;
	allows: (number: number) => boolean;
	advice: string;
}

/** A number, which an expression may also give as text. */
export function readNumber(
	run: Pick<Run, 'context'>,
	itemIndex: number,
	name: string,
	fallback: number | undefined,
	{ label, kind, allows, advice }: NumberRule,
): number {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, fallback);
	const number = parseNumber(value);
	if (number !== undefined && allows(number)) return number;
	const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
	throw inputError(run, itemIndex, `${label} is not ${kind}: ${shown.slice(0, 50)}`, advice);
}

/** A number, or undefined if the field is not set or an expression gives nothing for it. */
export function readOptionalNumber(run: Run, itemIndex: number, name: string, rule: NumberRule) {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '') ?? '';
	const isEmpty = typeof value === 'string' && value.trim() === '';
	return isEmpty ? undefined : readNumber(run, itemIndex, name, undefined, rule);
}

/**
 * A required ID. Refuses an empty one, which would address the whole list, and `.` and `..`, which
 * cannot be path segments of a URL, not even encoded. `whenEmpty` may add to the advice.
 */
export function readId(
	run: Run,
	itemIndex: number,
	name: string,
	label: string,
	whenEmpty = () => '',
): string {
	const id = readText(run, itemIndex, name, label);
	if (id === undefined) {
		const advice = `Enter the ${label}, or check that the expression returns a value for item ${itemIndex}.`;
		throw inputError(run, itemIndex, `${label} is empty`, `${advice}${whenEmpty()}`);
	}
	if (id !== '.' && id !== '..') return id;
	const advice = `Check the expression in ${label}.`;
	throw inputError(run, itemIndex, `${label} "${id}" is not an ID`, advice);
}

/** The field Request ID, which also takes a guest link of the credential's Collect URL. */
export function readRequestId(run: Run, itemIndex: number): string {
	const { collectUrl } = run.connection;
	const given = readId(run, itemIndex, 'requestId', 'Request ID', () => earlierRequestId(run));
	if (parseHttpUrl(given) === undefined) return given;
	const requestId = requestIdOfLink(collectUrl, given);
	if (requestId !== undefined) return requestId;
	const message =
		"Request ID is a link, but not a guest link that starts with the credential's Collect URL";
	const advice = `Enter the ID of a collection request, or a guest link that begins with ${collectUrl}/request/`;
	throw inputError(run, itemIndex, message, advice);
}

/** Advice on taking the request ID from an earlier node: an email node in between drops it. */
function earlierRequestId(run: Run): string {
	const [source] = earlierNodes(run);
	if (source === undefined) return '';
	return ` The previous node may have dropped it: use {{ $('${source.name}').item.json.requestId }} to take it from "${source.name}".`;
}

/** The nodes of this type before this one. Older n8n does not give their parameters. */
export function earlierNodes({ context }: Run) {
	const { name, type } = context.getNode();
	const parents = context.getParentNodes(name, { includeNodeParameters: true });
	return parents.filter((parent) => parent.type === type);
}

/** How many items are processed at once: 1 to 50, default 5. One value for the whole node. */
export const readConcurrency = (run: Pick<Run, 'context'>): number =>
	readNumber(run, 0, 'options.concurrency', 5, {
		label: 'Concurrency',
		kind: 'a whole number from 1 to 50',
		allows: (number) => Number.isInteger(number) && number >= 1 && number <= 50,
		advice: 'Enter how many items to process at the same time, e.g. 5.',
	});

/** The options for an item's API calls. Timeout is a number of seconds above 0, default 30. */
export function readCallOptions(run: Run, itemIndex: number): CallOptions {
	const timeout = readNumber(run, itemIndex, 'options.timeout', 30, {
		label: 'Timeout',
		kind: 'a number above 0',
		allows: (number) => number > 0,
		advice: 'Enter the number of seconds to wait for the service, e.g. 30.',
	});
	return { timeout, itemIndex };
}
