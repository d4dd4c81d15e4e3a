import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { CallOptions } from '../api/types';
import { parseHttpUrl } from '../credential/address';
import { requestIdOfLink } from '../guestLink';
import { parseNumber } from '../fields';
import type { Run } from './operation';
import { earlierNodes } from './operation';

/** The field that names the collection request. {@link requestIdOf} reads it. */
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

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** The value of a text field without surrounding spaces, or undefined if it is empty. */
export function textOf(run: Run, itemIndex: number, name: string, label: string) {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '');
	if (isText(value ?? '')) return String(value ?? '').trim() || undefined;
	const advice = 'Check the expression: it returns an object or a list.';
	throw inputError(run, itemIndex, `${label} is not text`, advice);
}

/** The value of a field with choices. Refuses any other value that an expression may give. */
export function choiceOf(run: Run, itemIndex: number, field: INodeProperties): string {
	const value: unknown = run.context.getNodeParameter(field.name, itemIndex, field.default);
	const values = (field.options as INodePropertyOptions[]).map((option) => option.value);
	if (values.some((choice) => choice === value)) return String(value);
	const advice = `Select one of them, or use an expression that returns one of: ${values.join(', ')}.`;
	throw inputError(run, itemIndex, `${field.displayName} is not one of its choices`, advice);
}

/** Advice on taking the request ID from an earlier node: an email node in between drops it. */
function sourceOfRequestId(run: Run): string {
	const [source] = earlierNodes(run);
	if (source === undefined) return '';
	return ` The previous node may have dropped it: use {{ $('${source.name}').item.json.requestId }} to take it from "${source.name}".`;
}

/**
 * Reads a required ID. Refuses an empty one, which would address the whole list, and `.` and `..`,
 * which cannot be path segments of a URL, not even encoded.
 */
export function idOf(run: Run, itemIndex: number, name: string, label: string): string {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '');
	const id = isText(value) ? String(value).trim() : '';
	if (id === '') {
		const advice = `Enter the ${label}, or check that the expression returns a value for item ${itemIndex}.`;
		const source = name === 'requestId' ? sourceOfRequestId(run) : '';
		throw inputError(run, itemIndex, `${label} is empty`, `${advice}${source}`);
	}
	if (id === '.' || id === '..') {
		const advice = `Check the expression in ${label}.`;
		throw inputError(run, itemIndex, `${label} "${id}" is not an ID`, advice);
	}
	return id;
}

/** Reads the field Request ID, which also takes a guest link of the credential's Collect URL. */
export function requestIdOf(run: Run, itemIndex: number): string {
	const { collectUrl } = run.connection;
	const given = idOf(run, itemIndex, 'requestId', 'Request ID');
	if (parseHttpUrl(given) === undefined) return given;
	const requestId = requestIdOfLink(collectUrl, given);
	if (requestId !== undefined) return requestId;
	const message =
		"Request ID is a link, but not a guest link that starts with the credential's Collect URL";
	const advice = `Enter the ID of a collection request, or a guest link that begins with ${collectUrl}/request/`;
	throw inputError(run, itemIndex, message, advice);
}

/** How many items are processed at once: 1 to 50, default 5. One value for the whole node. */
export function concurrencyOf(run: Pick<Run, 'context'>): number {
	const value = run.context.getNodeParameter('options.concurrency', 0, concurrencyOption.default);
	const concurrency = parseNumber(value) ?? NaN;
	if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 50) return concurrency;
	const advice = 'Enter how many items to process at the same time, e.g. 5.';
	throw inputError(run, 0, 'Concurrency is not a whole number from 1 to 50', advice);
}

/** The options for an item's API calls. Timeout is a number of seconds above 0, default 30. */
export function callOptionsOf(run: Run, itemIndex: number): CallOptions {
	const value = run.context.getNodeParameter('options.timeout', itemIndex, timeoutOption.default);
	const timeout = parseNumber(value) ?? NaN;
	if (timeout > 0) return { timeout, itemIndex };
	const advice = 'Enter the number of seconds to wait for the service, e.g. 30.';
	throw inputError(run, itemIndex, 'Timeout is not a number above 0', advice);
}
