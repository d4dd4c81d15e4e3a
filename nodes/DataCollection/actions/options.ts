import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { inputError } from './operation';

const DEFAULT_TIMEOUT = 30;

/** Options > Timeout, for every operation that calls the service. */
export const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'Seconds to wait for an answer of the service before giving up',
};

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
