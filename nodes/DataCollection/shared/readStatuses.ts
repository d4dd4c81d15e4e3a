import type { INodeProperties } from 'n8n-workflow';

import { parseWords } from '../basics/values';
import { listIn, type Parameters } from '../n8n/parameters';

/** By the choices of Wait For and Check For. Any one of them is enough. */
export const STATUSES: Partial<Record<string, string[]>> = {
	completed: ['completed'],
	open: ['open', 'completed'],
};

export function readStatuses(
	parameters: Parameters,
	choiceField: INodeProperties,
	enteredField: INodeProperties,
): string[] {
	const chosen = STATUSES[parameters.option(choiceField)];
	if (chosen !== undefined) return chosen;
	const description = 'Enter at least one share status, e.g. completed.';
	return listIn(enteredField, parameters.value(enteredField), parseWords, description);
}
