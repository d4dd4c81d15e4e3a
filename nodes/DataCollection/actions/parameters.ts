import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { CallOptions } from '../api/types';
import { parseHttpUrl } from '../credential/address';
import { choiceIn, flagIn, foundIn, inputError, numberIn } from '../fields';
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

/**
 * For an operation that puts out nothing by an output that others depend on. n8n's setting would add
 * an empty item there: the workflow would go on with nobody in it.
 */
export function refuseAlwaysOutputData(run: Run, output: string): void {
	if (run.context.getNode().alwaysOutputData !== true) return;
	const message = 'Always Output Data cannot be used with this operation';
	const advice = `Turn it off in the settings of this node: it would send an empty item out of ${output} when nobody is there.`;
	throw inputError(run, 0, message, advice);
}

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
	typeOptions: { minValue: 0.01, numberPrecision: 2 },
	default: 30,
	description: 'How many seconds to wait for a response from the service before giving up',
};

/** Options of an operation that calls the service for each item, including the given ones. */
export const callOptionsField = (...own: INodeProperties[]): INodeProperties =>
	optionsField([concurrencyOption, ...own, timeoutOption]);

/** A text without surrounding spaces, or undefined if it is empty. Numbers become text. */
export function readText(
	run: Run,
	itemIndex: number,
	name: string,
	label: string,
): string | undefined {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '');
	return textIn(run, itemIndex, label, foundIn(run, itemIndex, label, value));
}

function textIn(run: Run, itemIndex: number, label: string, value: unknown): string | undefined {
	if (typeof value === 'string' || typeof value === 'number') {
		return String(value).trim() || undefined;
	}
	const advice = 'Check the expression: it returns an object or a list.';
	throw inputError(run, itemIndex, `${label} is not text`, advice);
}

/** One of a field's choices. */
export const readChoice = (run: Run, itemIndex: number, field: INodeProperties): string => {
	const value = run.context.getNodeParameter(field.name, itemIndex, field.default);
	return choiceIn(run, itemIndex, field, value);
};

/** A number as the field's `typeOptions` allow it. `path` also names the collections around it. */
const readNumber = (run: Run, itemIndex: number, path: string, field: INodeProperties): number =>
	numberIn(run, itemIndex, field, run.context.getNodeParameter(path, itemIndex, field.default));

/** A required text, not empty. Numbers become text. `whenEmpty` may add to the advice. */
export function readRequired(
	run: Run,
	itemIndex: number,
	name: string,
	label: string,
	whenEmpty = () => '',
): string {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '');
	const text = textIn(run, itemIndex, label, value ?? '');
	if (text !== undefined) return text;
	const advice = `Enter the ${label}, or check that the expression returns a value for item ${itemIndex}.`;
	throw inputError(run, itemIndex, `${label} is empty`, `${advice}${whenEmpty()}`);
}

/** Whether a switch is on. `path` also names the collections around it. */
export const readFlag = (
	run: Run,
	itemIndex: number,
	path: string,
	field: INodeProperties,
): boolean =>
	flagIn(run, itemIndex, field, run.context.getNodeParameter(path, itemIndex, field.default));

/** A number, or undefined if the field is not set or has an empty text. */
export function readOptionalNumber(
	run: Run,
	itemIndex: number,
	path: string,
	field: INodeProperties,
): number | undefined {
	const given: unknown = run.context.getNodeParameter(path, itemIndex, '');
	const value = foundIn(run, itemIndex, field.displayName, given);
	const isEmpty = typeof value === 'string' && value.trim() === '';
	return isEmpty ? undefined : numberIn(run, itemIndex, field, value);
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
	const id = readRequired(run, itemIndex, name, label, whenEmpty);
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

/** The nodes of this type before this one, farthest first. Disabled ones pass on what they get. */
export function earlierNodes({ context }: Pick<Run, 'context'>) {
	const { name, type } = context.getNode();
	return context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => node.type === type && node.name !== name && !node.disabled);
}

/** How many items are processed at once: 1 to 50, default 5. One value for the whole node. */
export const readConcurrency = (run: Run): number =>
	readNumber(run, 0, 'options.concurrency', concurrencyOption);

/** The options for an item's API calls. Timeout is in seconds, default 30. */
export const readCallOptions = (run: Run, itemIndex: number): CallOptions => ({
	timeout: readNumber(run, itemIndex, 'options.timeout', timeoutOption),
	itemIndex,
});
