import { clock } from '../basics/clock';

const DAY = 24 * 60 * 60;

/**
 * Claims a verified notification; false if it was seen before. The key says for whom it is claimed,
 * and has the signature, because a changed signature is refused, while the delivery ID is unsigned.
 * `outcome` tells whether the delivery was accepted. If it was not, the claim is forgotten, so that it
 * can be sent again. `maximumAge` is in seconds: older notifications are refused anyway. 0 means that
 * they are remembered for a day.
 */
export async function claimDelivery(
	key: string,
	maximumAge: number,
	outcome: () => Promise<boolean>,
): Promise<boolean> {
	const seconds = maximumAge === 0 ? DAY : 2 * maximumAge;
	return await seenDeliveries.claim(key, seconds * 1000, outcome);
}

/**
 * Remembers deliveries in the memory of the process. Workflow static data does not work for this:
 * n8n drops what `webhook()` writes there if the call starts an execution. If more than `capacity`
 * are kept, the oldest are dropped first. Claims whose outcome is open always stay.
 */
export function createSeenDeliveries(capacity = 10_000) {
	const underWay = new Map<string, Promise<boolean>>();
	/** When each one expires, by key. The oldest comes first. */
	const kept = new Map<string, number>();
	return {
		/**
		 * Claims a delivery; false if it was seen before. If its outcome is `true`, it is remembered
		 * for `lifetime` milliseconds from now; if `false`, it can be claimed again. A repetition waits
		 * for the outcome of the first. Otherwise, the sender would be told "duplicate", and if the
		 * first then failed, the notification would be lost.
		 */
		async claim(key: string, lifetime: number, outcome: () => Promise<boolean>): Promise<boolean> {
			while (underWay.has(key)) if (await underWay.get(key)) return false;
			if ((kept.get(key) ?? 0) > clock.now()) return false;
			const expiresAt = clock.now() + lifetime;
			const settle = (accepted: boolean) => {
				underWay.delete(key);
				if (accepted) keep(kept, capacity, { key, expiresAt, now: clock.now() });
				return accepted;
			};
			underWay.set(key, outcome().then(settle));
			return true;
		},
		get size() {
			return underWay.size + kept.size;
		},
	};
}

/** Keeps one more, without those that have expired and, if there are too many, without the oldest. */
function keep(
	kept: Map<string, number>,
	capacity: number,
	{ key, expiresAt, now }: { key: string; expiresAt: number; now: number },
): void {
	kept.delete(key);
	for (const [oldest, end] of kept) {
		if (end > now && kept.size < capacity) break;
		kept.delete(oldest);
	}
	kept.set(key, expiresAt);
}

/** One memory for all triggers and waits in this process. Each n8n process has its own. */
const seenDeliveries = createSeenDeliveries();
