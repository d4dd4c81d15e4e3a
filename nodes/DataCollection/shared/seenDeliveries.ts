/** Ends a claim: `true` keeps the delivery as seen, `false` forgets it so that it can come again. */
export type Settle = (kept: boolean) => void;

/** Remembers verified deliveries for a while, so that a repeated one starts nothing. */
export interface SeenDeliveries {
	/**
	 * Claims a delivery. Resolves to a function that must be called with the outcome, or to
	 * undefined when the delivery was seen before. A repetition that arrives while the first is
	 * still under way waits for its outcome: were it answered at once and the first then failed,
	 * the notification would be lost.
	 */
	claim(key: string, expiresAt: number): Promise<Settle | undefined>;
	readonly size: number;
}

interface Entry {
	expiresAt: number;
	outcome: Promise<boolean>;
	/** Until then the entry stays, whatever its age: without it a repetition would be claimed, too. */
	isSettled: boolean;
}

/**
 * A bounded in-process memory. Workflow static data cannot serve: n8n drops what `webhook()` writes
 * there when the call starts an execution. Times are milliseconds since 1970; when more than
 * `capacity` keys are alive, the oldest settled ones are dropped first.
 */
export function createSeenDeliveries(
	capacity = 10_000,
	now: () => number = Date.now,
): SeenDeliveries {
	const entries = new Map<string, Entry>();

	const dropOldest = () => {
		for (const [key, { expiresAt, isSettled }] of entries) {
			if (expiresAt > now() && entries.size < capacity) return;
			if (isSettled) entries.delete(key);
		}
	};

	const remember = (key: string, expiresAt: number): Settle => {
		let settle: Settle = () => {};
		const outcome = new Promise<boolean>((resolve) => {
			settle = resolve;
		});
		const entry = { expiresAt, outcome, isSettled: false };
		entries.delete(key);
		dropOldest();
		entries.set(key, entry);
		return (kept) => {
			entry.isSettled = true;
			if (!kept) entries.delete(key);
			settle(kept);
		};
	};

	return {
		async claim(key, expiresAt) {
			for (;;) {
				const earlier = entries.get(key);
				if (earlier === undefined || (earlier.isSettled && earlier.expiresAt <= now())) break;
				if (await earlier.outcome) return undefined;
			}
			return remember(key, expiresAt);
		},
		get size() {
			return entries.size;
		},
	};
}
