import { clock } from './clock';

/**
 * In order, at most `concurrency` at once. Takes an item only when its turn comes, and yields
 * before each start beside others, so that n8n can send their requests. `work` must not reject.
 */
export async function mapConcurrently<T, R>(
	items: Iterable<T>,
	concurrency: number,
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const entries = numbered(items);
	let running = 0;
	let lastStart = Promise.resolve();
	const start = async () => {
		if (running > 0) await clock.sleep(0);
		running += 1;
	};
	// All workers take the next item from the same iterator.
	const worker = async () => {
		for (const [index, item] of entries) {
			lastStart = lastStart.then(start);
			await lastStart;
			results[index] = await work(item, index);
			running -= 1;
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return results;
}

function* numbered<T>(items: Iterable<T>): Generator<[number, T]> {
	let index = 0;
	for (const item of items) yield [index++, item];
}

/**
 * Lets n8n do other work after every `count` of thousands of items that are read without a pause.
 */
export async function yieldEvery(count: number, index: number): Promise<void> {
	if (index % count === count - 1) await clock.sleep(0);
}
