import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

const DAY = 24 * 60 * 60;

/** Milliseconds between two looks at a response that nobody receives, and until the last look. */
const PAUSE = 250;
const LAST_LOOK = 60_000;

/**
 * Claims a verified notification for the trigger, false when it was seen before. The signature is
 * the key: it cannot be changed without being refused, while the delivery ID is unsigned. Forgotten
 * again when n8n does not accept the delivery after all, so that it can be sent once more.
 * `maximumAge` in seconds: what is older is refused anyway; 0 stands for a day.
 */
export async function claimDelivery(
	context: IWebhookFunctions,
	signature: string,
	maximumAge: number,
): Promise<boolean> {
	const owner = [context.getWorkflow().id, context.getNode().id, context.getMode()].join('/');
	const lifetime = maximumAge === 0 ? DAY : 2 * maximumAge;
	const settle = await seenDeliveries.claim(`${owner}/${signature}`, Date.now() + lifetime * 1000);
	if (settle === undefined) return false;
	void isAccepted(context.getResponseObject()).then(settle);
	return true;
}

/**
 * Resolves to whether n8n has accepted the delivery, once it has responded. A sender that has hung
 * up receives no response, but n8n goes on: only the one that it then writes into the void tells
 * whether the execution was stored.
 */
async function isAccepted(
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
): Promise<boolean> {
	await new Promise<void>((resolve) => {
		if (response.closed) resolve();
		else response.once('close', resolve);
	});
	for (let waited = 0; !response.writableEnded && waited < LAST_LOOK; waited += PAUSE) {
		await sleep(PAUSE);
	}
	return response.writableEnded && response.statusCode < 300;
}

/** Ends a claim: `true` keeps the delivery as seen, `false` forgets it so that it can come again. */
export type Settle = (kept: boolean) => void;

/**
 * A memory inside the process. Workflow static data cannot serve: n8n drops what `webhook()` writes
 * there when the call starts an execution. Times are milliseconds since 1970; of those that were
 * kept, more than `capacity` make the oldest go first. What is under way always stays.
 */
export function createSeenDeliveries(capacity = 10_000, now = Date.now) {
	const underWay = new Map<string, Promise<boolean>>();
	/** By key, when each expires; the oldest first. */
	const kept = new Map<string, number>();

	const keep = (key: string, expiresAt: number) => {
		kept.delete(key);
		for (const [oldest, end] of kept) {
			if (end > now() && kept.size < capacity) break;
			kept.delete(oldest);
		}
		kept.set(key, expiresAt);
	};

	return {
		/**
		 * Claims a delivery. Resolves to a function that must be called with the outcome, or to
		 * undefined when the delivery was seen before. A repetition that arrives while the first is
		 * still under way waits for its outcome: were it answered at once and the first then failed,
		 * the notification would be lost.
		 */
		async claim(key: string, expiresAt: number): Promise<Settle | undefined> {
			for (let earlier; (earlier = underWay.get(key)) !== undefined; ) {
				if (await earlier) return undefined;
			}
			if ((kept.get(key) ?? 0) > now()) return undefined;
			let settle: Settle = () => {};
			underWay.set(key, new Promise((resolve) => (settle = resolve)));
			return (isKept) => {
				underWay.delete(key);
				if (isKept) keep(key, expiresAt);
				settle(isKept);
			};
		},
		get size() {
			return underWay.size + kept.size;
		},
	};
}

/** One memory for all triggers of this process; each n8n process has its own. */
const seenDeliveries = createSeenDeliveries();
