import type { INodeProperties } from 'n8n-workflow';

/** n8n replaces anything but an object in a collection by {}, but keeps it in a hidden field. */
export const withRawCopy = (field: INodeProperties): INodeProperties[] => {
	const { displayName, name, displayOptions } = field;
	return [field, { displayName, name, type: 'hidden', default: {}, displayOptions }];
};

export const optionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});
