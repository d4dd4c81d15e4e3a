/** Counts what has happened, and lets somebody wait until it has happened so often. */
export interface Counter {
	readonly value: number;
	add(): void;
	/** Resolves when it has happened `target` times in all. */
	reach(target: number): Promise<void>;
}

/** A counter at zero. */
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
