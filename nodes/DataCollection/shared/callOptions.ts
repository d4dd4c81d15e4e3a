import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../n8n/fields';
import type { Parameters } from '../n8n/parameters';

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
	typeOptions: { minValue: 0.01, maxValue: 3600, numberPrecision: 2 },
	default: 30,
	description:
		'How many seconds to wait for a response from the service before giving up, at most 3600',
};

export const callOptionsField = (...own: INodeProperties[]): INodeProperties =>
	optionsField([concurrencyOption, ...own, timeoutOption]);

/** One value for the whole node. */
export const readConcurrency = ({ number }: Parameters): number =>
	number(concurrencyOption, 'options');

export const readCallOptions = ({ number, itemIndex }: Parameters) => ({
	timeout: number(timeoutOption, 'options'),
	itemIndex,
});
