import { createReader, textOf } from '../../bench/deployment/executions.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { sign } from '../support/delivery.mts';
import type { SoleTrigger } from '../support/soleTrigger.mts';
import { triggerName } from '../support/workflows.mts';
import type { World } from './letters.mts';
import type { Notification } from './reference.mts';
import { passageOf, type Entry } from './verdict.mts';

/** Also those that begin inside a longer run of digits. */
const likeSignatures = /(?=([0-9a-f]{64}))/g;

/** Looks in texts for secrets, and for signatures that would verify a delivery. */
export function searchFor({ secret: current, previous }: World) {
	const secrets = [current, ...previous];
	const candidates = new Set<string>();
	let hasSecret = false;

	/** For a delivery as it was sent, and as n8n hands it over. */
	const verifying = ({ made: { letter, request } }: Entry) => {
		const { arrived } = passageOf(request);
		const [timestamp = letter.timestamp] = arrived?.values('x-svc-timestamp') ?? [];
		return secrets.flatMap((secret) => [
			sign(secret, letter.timestamp, request.body),
			sign(secret, timestamp, arrived?.body ?? request.body),
		]);
	};
	return {
		add(text: string): void {
			hasSecret ||= secrets.some((secret) => text.includes(secret));
			for (const [, digits = ''] of text.matchAll(likeSignatures)) candidates.add(digits);
		},
		hasFound(entries: Entry[]): boolean {
			// Mostly there are none: then nothing has to be signed.
			if (hasSecret || candidates.size === 0) return hasSecret;
			return entries.some((entry) => verifying(entry).some((one) => candidates.has(one)));
		},
	};
}

/** What identifies an item, as text. */
export const contentOf = ({ event, requestId, shareStatus }: Partial<Notification>) =>
	JSON.stringify([event, requestId, shareStatus ?? null]);

/** Reads what n8n has stored of the workflow's executions, once every one has ended. */
export async function readStored(
	{ n8n, rest, workflowId }: SoleTrigger,
	search: ReturnType<typeof searchFor>,
) {
	const reader = await createReader(rest, n8n.url);
	await reader.settle(workflowId, 120_000);
	/** How often each item was emitted. */
	const items = new Map<string, number>();
	let failed = 0;
	for await (const execution of reader.each(workflowId)) {
		const item = contentOf(outputOf(execution, triggerName)[0] ?? {});
		items.set(item, (items.get(item) ?? 0) + 1);
		failed += execution.status === 'success' ? 0 : 1;
		search.add(textOf(execution));
	}
	return { items, failed };
}
