import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { parseWords } from '../basics/values';
import { hasStatus } from '../service/collectionRequest';
import { STATUSES } from '../shared/readStatuses';

export const waitForField: INodeProperties = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'options',
	options: [
		{
			name: 'Completed',
			value: 'completed',
			description: 'Until every collection request is completed',
		},
		{
			name: 'Open or Completed',
			value: 'open',
			description: 'Until every collection request is open or completed',
		},
		{
			name: 'Other Statuses',
			value: 'statuses',
			description: 'Until every collection request has one of the statuses that you enter',
		},
	],
	default: 'completed',
	description: 'The share status to wait for',
};

export const statusesField: INodeProperties = {
	displayName: 'Wait for Statuses',
	name: 'waitForStatuses',
	type: 'string',
	required: true,
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
	default: [],
	placeholder: 'e.g. archived',
	description: 'Any one of these ends the wait for a collection request; case does not matter',
	displayOptions: { show: { waitFor: ['statuses'] } },
};

/**
 * Whether a node is a Wait for these statuses or some of them. If an expression decides, it is not.
 */
export function isWaitForSomeOf(statuses: string[], parameters: INodeParameters = {}): boolean {
	const { operation, waitFor, waitForStatuses } = parameters;
	if (operation !== 'wait') return false;
	const entered = waitFor === 'statuses' ? parseWords(waitForStatuses) : undefined;
	const awaited = STATUSES[String(waitFor)] ?? entered ?? [];
	return awaited.length > 0 && awaited.every((status) => hasStatus(statuses, status));
}
