import type { IExecuteFunctions } from 'n8n-workflow';

import { inWords } from '../basics/text';

/** Shows a warning or an information. With items: the message, `for items 2 and 5`, the reason. */
export type Hint = (message: string, at?: { itemIndex: number; reason: string } | 'info') => void;

/** `showAll` shows each hint once, with the items that cause it, counted from 1. */
export function hintsOf(context: IExecuteFunctions): { hint: Hint; showAll: () => void } {
	const hints = new Map<string, { type: 'info' | 'warning'; reason: string; items: Set<number> }>();
	return {
		hint(message, at) {
			const [type, item] = at === 'info' ? ([at, undefined] as const) : (['warning', at] as const);
			const hint = hints.get(message) ?? { type, reason: item?.reason ?? '', items: new Set() };
			if (item !== undefined) hint.items.add(item.itemIndex + 1);
			hints.set(message, hint);
		},
		showAll() {
			for (const [hint, { type, reason, items }] of hints) {
				const numbers = [...items].sort((a, b) => a - b);
				const where = `for item${numbers.length === 1 ? '' : 's'} ${inWords(numbers)}`;
				const message = numbers.length === 0 ? hint : `${hint} ${where}: ${reason}`;
				context.addExecutionHints({ type, location: 'outputPane', message });
			}
		},
	};
}
