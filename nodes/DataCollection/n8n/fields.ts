import type { INodeProperties } from 'n8n-workflow';

/** Simplify, in Share > Get and in the trigger's Options. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * A collection, and what lets the node see everything that was entered for it. If something else was,
 * such as one expression for the whole field, n8n makes an empty collection of it before the node runs.
 * Of a hidden field with the same name, it keeps what was entered.
 */
export const withRawCopy = (field: INodeProperties): INodeProperties[] => {
	const { displayName, name, displayOptions } = field;
	return [field, { displayName, name, type: 'hidden', default: {}, displayOptions }];
};

/** Options > Maximum Age. */
export const maximumAgeOption: INodeProperties = {
	displayName: 'Maximum Age',
	name: 'maximumAge',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description:
		'How many seconds the signed timestamp may differ from the current time, in either direction. Other notifications are refused. 0 turns the check off.',
};

/** The default number of seconds that a signed timestamp may differ from now. */
export const MAXIMUM_AGE = Number(maximumAgeOption.default);

/** The field Options with these options, in the order in which the editor shows them. */
export const optionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});
