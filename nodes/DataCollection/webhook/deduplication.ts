import type { IWebhookFunctions } from 'n8n-workflow';

import type { Clock } from '../clock';

const DAY = 24 * 60 * 60;

/** Milliseconds between two checks of a response that nobody receives, and until the last check. */
const PAUSE = 250;
const LAST_LOOK = 60_000;

/**
 * Claims a verified notification; false if it was seen before. The key says for whom it is claimed,
 * and has the signature, because a changed signature is refused, while the delivery ID is unsigned.
 * If n8n does not accept the delivery after all, the claim is forgotten, so that it can be sent
 * again. `maximumAge` is in seconds: older notifications are refused anyway. 0 means that they are
 * remembered for a day.
 */
export async function claimDelivery(
	context: IWebhookFunctions,
	key: string,
	maximumAge: number,
	clock: Clock,
): Promise<boolean> {
	const lifetime = maximumAge === 0 ? DAY : 2 * maximumAge;
	const settle = await seenDeliveries.claim(key, clock.now() + lifetime * 1000, clock);
	if (settle === undefined) return false;
	const response = context.getResponseObject();
	// After a response, nothing tells any more whether n8n accepts it: then it is claimed for good.
	if (response.headersSent) settle(true);
	else void isAccepted(response, clock).then(settle);
	return true;
}

/**
 * Resolves to whether n8n accepted the delivery, as soon as n8n has responded. If the sender has
 * hung up, n8n still continues and writes a response that nobody receives. Only that response tells
 * whether the execution was stored.
 */
async function isAccepted(
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	clock: Clock,
): Promise<boolean> {
	await new Promise<void>((resolve) => {
		if (response.closed) resolve();
		else response.once('close', resolve);
	});
	for (let waited = 0; !response.writableEnded && waited < LAST_LOOK; waited += PAUSE) {
		await clock.sleep(PAUSE);
	}
	return response.writableEnded && response.statusCode < 300;
}

/** Settles a claim: `true` remembers the delivery, `false` forgets it, so it can be sent again. */
export type Settle = (kept: boolean) => void;

/**
 * Remembers deliveries in the memory of the process. Workflow static data does not work for this:
 * n8n drops what `webhook()` writes there if the call starts an execution. Times are milliseconds
 * since 1970. If more than `capacity` are kept, the oldest are dropped first. Unsettled claims
 * always stay.
 */
export function createSeenDeliveries(capacity = 10_000) {
	const underWay = new Map<string, Promise<boolean>>();
	/** When each one expires, by key. The oldest comes first. */
	const kept = new Map<string, number>();

	const keep = (key: string, expiresAt: number, now: number) => {
		kept.delete(key);
		for (const [oldest, end] of kept) {
			if (end > now && kept.size < capacity) break;
			kept.delete(oldest);
		}
		kept.set(key, expiresAt);
	};

	return {
		/**
		 * Claims a delivery. Resolves to a function that must be called with the outcome, or to
		 * undefined if the delivery was seen before. If a repetition arrives while the first is still
		 * unsettled, it waits for the outcome. Otherwise, the sender would be told "duplicate", and if
		 * the first then failed, the notification would be lost.
		 */
		async claim(
			key: string,
			expiresAt: number,
			{ now }: Pick<Clock, 'now'>,
		): Promise<Settle | undefined> {
			for (let earlier; (earlier = underWay.get(key)) !== undefined; ) {
				if (await earlier) return undefined;
			}
			if ((kept.get(key) ?? 0) > now()) return undefined;
			let settle: Settle = () => {};
			underWay.set(key, new Promise((resolve) => (settle = resolve)));
			return (isKept) => {
				underWay.delete(key);
				if (isKept) keep(key, expiresAt, now());
				settle(isKept);
			};
		},
		get size() {
			return underWay.size + kept.size;
		},
	};
}

/** One memory for all triggers in this process. Each n8n process has its own. */
const seenDeliveries = createSeenDeliveries();
