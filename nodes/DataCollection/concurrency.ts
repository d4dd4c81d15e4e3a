/**
 * Runs `work` for each index below `count`, at most `limit` at once, and resolves to the results in
 * order. If others are running, it yields to the event loop before each start, so that n8n can send
 * their requests. `work` must not reject.
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
