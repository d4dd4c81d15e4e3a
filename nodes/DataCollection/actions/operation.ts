import type {
	IDataObject,
	IDisplayOptions,
	IExecuteFunctions,
	INodeProperties,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Runs one operation for one input item and resolves to the output item's JSON. */
export type Operation = (this: IExecuteFunctions, itemIndex: number) => Promise<IDataObject>;

/** What an operation file exports. */
export interface OperationModule {
	/** Its parameters; the order is the order in the editor. */
	description: INodeProperties[];
	execute: Operation;
	/** Set when each run leaves something at the service that running it again would double. */
	creates?: true;
	/** Set when it does without the service, so that nothing is won by several items at once. */
	isLocal?: true;
}

/** A resource's operations by the value of its operation selector. */
export type Resource = Readonly<Record<string, OperationModule>>;

/** Shows the fields only for one operation of one resource, besides their own conditions. */
export function showFor(
	resource: string,
	operation: string,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => {
		const displayOptions: IDisplayOptions = {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
		};
		return { ...field, displayOptions };
	});
}

/** The collection request that an operation reads; {@link idParameter} reads the field. */
export const requestIdField: INodeProperties = {
	displayName: 'Request ID',
	name: 'requestId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c2',
	description: 'ID of the collection request, as Create and the trigger return it',
};

/** What the user entered cannot be used; names the item and says what to do. */
export function inputError(
	this: IExecuteFunctions,
	itemIndex: number,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(this.getNode(), message, { itemIndex, description });
	// n8n replaces a message that contains the name of an error code, which quoted input may do.
	error.message = message;
	return error;
}

/**
 * Reads a required ID. Refuses an empty one, which would address the whole list, and `.` and `..`,
 * which a URL cannot hold as a path segment even when encoded.
 */
export function idParameter(
	this: IExecuteFunctions,
	name: string,
	label: string,
	itemIndex: number,
): string {
	const value: unknown = this.getNodeParameter(name, itemIndex, '');
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (id === '') {
		throw inputError.call(
			this,
			itemIndex,
			`${label} is empty`,
			`Enter the ${label}, or check that the expression finds a value in item ${itemIndex}.`,
		);
	}
	if (id === '.' || id === '..') {
		throw inputError.call(
			this,
			itemIndex,
			`${label} "${id}" is not an ID`,
			`Check the expression of ${label}.`,
		);
	}
	return id;
}
