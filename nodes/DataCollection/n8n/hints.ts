import type { IExecuteFunctions } from 'n8n-workflow';

import { inWords } from '../basics/values';

/** Shows a warning. With items, it is the message, `for items 2 and 5` (from 1), and the reason. */
export type Hint = (message: string, at?: { itemIndex: number; reason: string }) => void;

/** `showAll` shows each warning once, with the items that cause it. */
export function hintsOf(context: IExecuteFunctions): { hint: Hint; showAll: () => void } {
	const warnings = new Map<string, { reason: string; items: Set<number> }>();
	return {
		hint(message, at) {
			const warning = warnings.get(message) ?? { reason: at?.reason ?? '', items: new Set() };
			if (at !== undefined) warning.items.add(at.itemIndex + 1);
			warnings.set(message, warning);
		},
		showAll() {
			for (const [warning, { reason, items }] of warnings) {
				const numbers = [...items].sort((a, b) => a - b);
				const where = `for item${numbers.length === 1 ? '' : 's'} ${inWords(numbers)}`;
				const message = numbers.length === 0 ? warning : `${warning} ${where}: ${reason}`;
				context.addExecutionHints({ type: 'warning', location: 'outputPane', message });
			}
		},
	};
}
