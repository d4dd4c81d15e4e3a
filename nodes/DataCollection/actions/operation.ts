import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import type { CallOptions } from '../api/types';
import type { Clock } from '../clock';
import { parseHttpUrl } from '../credential/address';
import type { Connection } from '../credential/connection';
import { requestIdOfLink } from '../guestLink';

/** What every operation gets. Created once for all items of an execution. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	api: ApiClient;
	clock: Clock;
	/** The IDs of the collection requests created so far. An error that ends the node lists them. */
	created: Set<string>;
	/** The warnings that are already shown. */
	hints: Set<string>;
}

/** The output for one input item: one output item, or one for each entry of a list. */
export type Output = IDataObject | IDataObject[];

/** What an operation file exports: its parameters, and one of two functions that run it. */
export type Operation = {
	/** In the order in which the editor shows them. */
	description: INodeProperties[];
} & (
	| { execute: (run: Run, itemIndex: number) => Promise<Output> }
	/** Handles all items at once. Resolves to the output for each item, in input order. */
	| { executeAll: (run: Run) => Promise<Output[]> }
);

/** A resource's operations, by the value of its operation selector. */
export type Resource = Readonly<Record<string, Operation>>;

/** The parameters of a resource's operations. Each is shown only for its own operation. */
export const fieldsOf = (resource: string, operations: Resource): INodeProperties[] =>
	Object.entries(operations).flatMap(([operation, { description }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, description),
	);

/** The field that names the collection request. {@link requestIdOf} reads it. */
export const requestIdField: INodeProperties = {
	displayName: 'Request ID',
	name: 'requestId',
	type: 'string',
	required: true,
	default: '',
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

/** Whether an older AI Agent itself runs this node as a tool, instead of n8n running the node. */
export const runsInsideAnAgent = ({ context }: Run) =>
	context.getExecuteData().node.name !== context.getNode().name;

/** Shows a warning next to the output, once for all items. */
export function hint({ context, hints }: Run, message: string): void {
	if (hints.has(message)) return;
	hints.add(message);
	context.addExecutionHints({ type: 'warning', location: 'outputPane', message });
}

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** The value of a text field without surrounding spaces, or undefined if it is empty. */
export function textOf(run: Run, itemIndex: number, name: string, label: string) {
	const value: unknown = run.context.getNodeParameter(name, itemIndex, '');
	if (isText(value ?? '')) return String(value ?? '').trim() || undefined;
	const advice = 'Check the expression: it returns an object or a list.';
	throw inputError(run, itemIndex, `${label} is not text`, advice);
}

/** The nodes of this type before this one. Older n8n does not give their parameters. */
export function earlierNodes({ context }: Run) {
	const { name, type } = context.getNode();
	const parents = context.getParentNodes(name, { includeNodeParameters: true });
	return parents.filter((parent) => parent.type === type);
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
	const concurrency = Number(value);
	if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 50) return concurrency;
	const advice = 'Enter how many items to process at the same time, e.g. 5.';
	throw inputError(run, 0, 'Concurrency is not a whole number from 1 to 50', advice);
}

/** The options for an item's API calls. Timeout is a number of seconds above 0, default 30. */
export function callOptionsOf(run: Run, itemIndex: number): CallOptions {
	const value = run.context.getNodeParameter('options.timeout', itemIndex, timeoutOption.default);
	const timeout = Number(value);
	if (Number.isFinite(timeout) && timeout > 0) return { timeout, itemIndex };
	const advice = 'Enter the number of seconds to wait for the service, e.g. 30.';
	throw inputError(run, itemIndex, 'Timeout is not a number above 0', advice);
}
