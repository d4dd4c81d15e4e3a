/** Counts what has happened, and lets somebody wait until it has happened so often. */
export interface Counter {
	readonly value: number;
	add(): void;
	/** Resolves when it has happened `target` times in all. */
	reach(target: number): Promise<void>;
}

export function createCounter(): Counter {
	const waiting = new Map<() => void, number>();
	let value = 0;
	return {
		get value() {
			return value;
		},
		add() {
			value += 1;
			for (const [resolve, target] of waiting) if (value >= target) resolve();
		},
		reach: (target) =>
			new Promise((resolve) => {
				if (value >= target) resolve();
				else waiting.set(resolve, target);
			}),
	};
}

/** Runs `work` for every element, at most `atOnce` at a time; results in the order of the list. */
export async function mapSome<T, R>(
	list: T[],
	atOnce: number,
	work: (element: T) => Promise<R>,
): Promise<R[]> {
	const results = new Array<R>(list.length);
	const queue = list.entries();
	const lane = async () => {
		for (const [index, element] of queue) results[index] = await work(element);
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, lane));
	return results;
}
