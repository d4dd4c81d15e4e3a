import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { inputError } from './operation';

const DEFAULT_TIMEOUT = 30;
const DEFAULT_CONCURRENCY = 5;

/** Options, with what an operation offers there; the order is the order in the editor. */
export const optionsOf = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});

/** Options > Timeout, for every operation that calls the service. */
export const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'Seconds to wait for an answer of the service before giving up',
};

/** Options > Concurrency, for every operation that calls the service. */
export const concurrencyOption: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 5,
	description:
		'How many items are under way at once, 1 to 50. The output keeps the order of the input.',
};

/** How many items are under way at once: 1 to 50, 5 unless set; one value for the whole node. */
export function concurrencyParameter(this: IExecuteFunctions): number {
	const value: unknown = this.getNodeParameter('options.concurrency', 0, DEFAULT_CONCURRENCY);
	const concurrency = Number(value);
	if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 50) return concurrency;
	throw inputError.call(
		this,
		0,
		'Concurrency is not a whole number from 1 to 50',
		'Enter how many items may be under way at once, e.g. 5.',
	);
}

/** Seconds to wait for the service's answer: a number above 0, 30 unless set. */
export function timeoutParameter(this: IExecuteFunctions, itemIndex: number): number {
	const value: unknown = this.getNodeParameter('options.timeout', itemIndex, DEFAULT_TIMEOUT);
	const timeout = Number(value);
	if (Number.isFinite(timeout) && timeout > 0) return timeout;
	throw inputError.call(
		this,
		itemIndex,
		'Timeout is not a number above 0',
		'Enter the number of seconds to wait for the service, e.g. 30.',
	);
}
