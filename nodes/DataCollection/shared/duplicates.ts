import { clock } from '../basics/clock';

const DAY = 24 * 60 * 60;

/** The oldest are dropped first, but none that is still being handled. */
const CAPACITY = 10_000;

const underWay = new Map<string, Promise<boolean>>();
/** When each expires, by key. The oldest comes first. */
const kept = new Map<string, number>();

/**
 * Claims a verified notification; false if it was accepted before. Repetitions wait for `outcome`:
 * if the sender were told "duplicate" and the first then failed, the notification would be lost.
 * `maximumAge` is in seconds; 0 means a day. In memory, because n8n drops static data of
 * `webhook()`.
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

function keep(key: string, expiresAt: number): void {
	kept.delete(key);
	for (const [oldest, end] of kept) {
		if (end > clock.now() && kept.size < CAPACITY) break;
		kept.delete(oldest);
	}
	kept.set(key, expiresAt);
}
