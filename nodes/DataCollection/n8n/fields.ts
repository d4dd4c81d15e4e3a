import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

/** n8n replaces anything but an object in a collection by {}, but keeps it in a hidden field. */
export const withRawCopy = (field: INodeProperties): INodeProperties[] => {
	const { displayName, name, displayOptions } = field;
	return [field, { displayName, name, type: 'hidden', default: {}, displayOptions }];
};

/** The fields of all operations of a resource. Each is shown only for its own operation. */
export const fieldsOf = (
	resource: string,
	operations: Readonly<Record<string, { description: INodeProperties[] }>>,
): INodeProperties[] =>
	Object.entries(operations).flatMap(([operation, { description }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, description),
	);

export const optionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});
