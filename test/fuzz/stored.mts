import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseExecutionData } from '../../sandbox/n8n/rest.mts';
import { sign } from '../support/delivery.mts';
import type { SoleTrigger } from '../support/soleTrigger.mts';
import { until } from '../support/until.mts';
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

function itemOf(data: string): string {
	const { resultData } = parseExecutionData(data);
	const [items = []] = resultData.runData[triggerName]?.[0]?.data?.main ?? [];
	return contentOf(items?.[0]?.json ?? {});
}

/** Reads what n8n has stored of the workflow's executions, once every one has ended. */
export async function readStored(
	{ userFolder, workflowId }: SoleTrigger,
	search: ReturnType<typeof searchFor>,
) {
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	const underWay = database.prepare(
		`SELECT count(*) AS number FROM execution_entity WHERE status IN ('new', 'running')`,
	);
	const hasEnded = () => Promise.resolve(underWay.get()?.number === 0 ? true : undefined);
	await until('every execution to end', hasEnded, 120_000);
	const rows = database.prepare(
		`SELECT status, data FROM execution_entity JOIN execution_data ON executionId = id
		WHERE workflowId = ?`,
	);
	/** How often each item was emitted. */
	const items = new Map<string, number>();
	let failed = 0;
	for (const { status, data } of rows.iterate(workflowId)) {
		const item = itemOf(String(data));
		items.set(item, (items.get(item) ?? 0) + 1);
		failed += status === 'success' ? 0 : 1;
		search.add(String(data));
	}
	database.close();
	return { items, failed };
}
