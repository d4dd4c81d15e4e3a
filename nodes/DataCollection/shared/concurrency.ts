/**
 * Runs the worker for every item, at most `limit` at once: as soon as one ends, the next starts.
 * Items start one after the other: while others are under way, each waits for `breathe` first.
 * Resolves to the results in input order. After a rejection no new item starts; it rejects with the
 * first reason once those under way have ended.
 */
export async function mapWithConcurrency<T, R>(
	items: readonly T[],
	limit: number,
	worker: (item: T, index: number) => Promise<R>,
	breathe: () => Promise<void> = async () => {},
): Promise<R[]> {
	const results = new Array<R>(items.length);
	const queue = items.entries();
	const rejections: unknown[] = [];
	let turn = Promise.resolve();
	let underWay = 0;

	const takeTurn = async () => {
		if (underWay > 0) await breathe();
		underWay += 1;
	};

	const lane = async () => {
		for (const [index, item] of queue) {
			await (turn = turn.then(takeTurn));
			if (rejections.length > 0) return;
			try {
				results[index] = await worker(item, index);
			} catch (reason) {
				rejections.push(reason);
				return;
			} finally {
				underWay -= 1;
			}
		}
	};

	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
	if (rejections.length > 0) throw rejections[0];
	return results;
}
