import type { IDataObject } from 'n8n-workflow';

import type { Run } from './operation';

/**
 * Makes a list come out once, however many items name it: the first of them reads it, the others
 * output nothing, and a hint says so. For the `prepare` of an operation, which runs for the items in
 * their order. `list` is the same for items that name the same list.
 */
export function readOnce(
	run: Run,
	list: string,
	entries: 'answers are' | 'history is' | 'participants are',
	read: () => Promise<IDataObject[]>,
): () => Promise<IDataObject[]> {
	const { lists } = run;
	const earlier = lists.get(list) ?? 0;
	lists.set(list, earlier + 1);
	if (earlier === 0) return read;
	return async () => {
		const items = [...lists.values()].reduce((sum, count) => sum + count);
		const named =
			lists.size === 1
				? `the same collection request; its ${entries}`
				: `${lists.size} collection requests; of each of them, the ${entries}`;
		run.hint(`${items} items name ${named} returned once.`);
		return [];
	};
}
