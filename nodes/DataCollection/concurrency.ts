/**
 * Runs `work` for each index below `count`, at most `limit` at once; resolves to the results in
 * order. While others are under way it yields before each start, so that n8n can send for them.
 * `work` must not reject.
 */
export async function mapConcurrently<R>(
	count: number,
	limit: number,
	work: (index: number) => Promise<R>,
	yieldToEventLoop: () => Promise<void>,
): Promise<R[]> {
	const results = new Array<R>(count);
	const indexes = results.keys();
	let turn = Promise.resolve();
	let underWay = 0;
	const takeTurn = async () => {
		if (underWay > 0) await yieldToEventLoop();
		underWay += 1;
	};
	const lane = async () => {
		for (const index of indexes) {
			await (turn = turn.then(takeTurn));
			results[index] = await work(index);
			underWay -= 1;
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, count) }, lane));
	return results;
}
