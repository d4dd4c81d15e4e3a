/**
 * Runs the worker for every item, at most `limit` at once: as soon as one ends, the next starts.
 * Resolves to the results in input order. After a rejection no new item starts; it rejects with the
 * first reason once those under way have ended.
 */
export async function mapWithConcurrency<T, R>(
	items: readonly T[],
	limit: number,
	worker: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results = new Array<R>(items.length);
	const queue = items.entries();
	const rejections: unknown[] = [];

	const lane = async () => {
		for (const [index, item] of queue) {
			try {
				results[index] = await worker(item, index);
			} catch (reason) {
				rejections.push(reason);
			}
			if (rejections.length > 0) return;
		}
	};

	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
	if (rejections.length > 0) throw rejections[0];
	return results;
}
