import type { INodeProperties } from 'n8n-workflow';

/**
 * A collection, and what lets the node see everything that was entered for it. If something else was,
 * such as one expression for the whole field, n8n makes an empty collection of it before the node runs.
 * Of a hidden field with the same name, it keeps what was entered.
 */
export const withRawCopy = (field: INodeProperties): INodeProperties[] => {
	const { displayName, name, displayOptions } = field;
	return [field, { displayName, name, type: 'hidden', default: {}, displayOptions }];
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
