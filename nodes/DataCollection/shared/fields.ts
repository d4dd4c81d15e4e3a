import type { INodeProperties } from 'n8n-workflow';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const maximumAgeOption: INodeProperties = {
	displayName: 'Maximum Age',
	name: 'maximumAge',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description:
		'How many seconds the signed timestamp may differ from the current time, in either direction. Other notifications are refused. 0 turns the check off.',
};

/** Seconds. */
export const MAXIMUM_AGE = Number(maximumAgeOption.default);
