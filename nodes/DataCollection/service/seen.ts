import { clock } from '../basics/clock';

const DAY = 24 * 60 * 60;

/** If more are kept, the oldest are dropped first. Claims whose outcome is open always stay. */
const CAPACITY = 10_000;

const underWay = new Map<string, Promise<boolean>>();
/** When each one expires, by key. The oldest comes first. */
const kept = new Map<string, number>();

/**
 * Claims a verified notification; false if it was seen before. The key says for whom it is claimed,
 * and has the signature, because a changed signature is refused, while the delivery ID is unsigned.
 * `maximumAge` is in seconds: older notifications are refused anyway. 0 means that they are remembered
 * for a day. `outcome` tells whether the delivery was accepted. If it was not, it can be claimed again.
 * A repetition waits for the outcome of the first. Otherwise, the sender would be told "duplicate", and
 * if the first then failed, the notification would be lost.
 *
 * This remembers in the memory of the process, for all its triggers and waits. Workflow static data does
 * not work: n8n drops what `webhook()` writes there if the call starts an execution.
 */
export async function claimDelivery(
	key: string,
	maximumAge: number,
	outcome: () => Promise<boolean>,
): Promise<boolean> {
	while (underWay.has(key)) if (await underWay.get(key)) return false;
	if ((kept.get(key) ?? 0) > clock.now()) return false;
	const seconds = maximumAge === 0 ? DAY : 2 * maximumAge;
	const expiresAt = clock.now() + seconds * 1000;
	const settle = (accepted: boolean) => {
		underWay.delete(key);
		if (accepted) keep(key, expiresAt);
		return accepted;
	};
	underWay.set(key, outcome().then(settle));
	return true;
}

/** Keeps one more, without those that have expired and, if there are too many, without the oldest. */
function keep(key: string, expiresAt: number): void {
	kept.delete(key);
	for (const [oldest, end] of kept) {
		if (end > clock.now() && kept.size < CAPACITY) break;
		kept.delete(oldest);
	}
	kept.set(key, expiresAt);
}
