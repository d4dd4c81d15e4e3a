import type { Execution } from '../../sandbox/n8n/types.mts';
import type { Row } from '../deployment/figures.mts';
import { quantile } from '../deployment/quantile.mts';
import { textOf, type Reader } from '../deployment/reader.mts';
import { deliveryTimeout, isSuccess } from '../deployment/sender.mts';
import type { Record } from './record.mts';
import type { Target } from './target.mts';

/** The delivery ID as our trigger puts it out, and as the Webhook node does among the headers. */
const deliveryId = /"(?:deliveryId|x-svc-delivery-id)":"([0-9a-f-]{36})"/;

/** An execution without its data: n8n hides it, or has stored none. */
export interface Nameless {
	id: string;
	status: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	/** Why it failed, if it did. */
	error: string | undefined;
}

interface Stored {
	/** How often each delivery was stored as an execution of the workflow. */
	times: Map<string, number>;
	/** Deliveries whose execution did not succeed. */
	failed: Set<string>;
	nameless: Nameless[];
}

function namelessOf({ id, status, startedAt, data }: Execution): Nameless {
	const error = data?.resultData?.error?.message;
	return {
		...{ id, status, startedAt: Date.parse(String(startedAt)) },
		error: typeof error === 'string' ? error : undefined,
	};
}

async function storedOf(reader: Reader, { workflowId }: Target): Promise<Stored> {
	const times = new Map<string, number>();
	const failed = new Set<string>();
	const nameless: Nameless[] = [];
	for await (const execution of reader.each(workflowId)) {
		const id = deliveryId.exec(textOf(execution))?.[1];
		if (id === undefined) nameless.push(namelessOf(execution));
		else times.set(id, (times.get(id) ?? 0) + 1);
		if (id !== undefined && execution.status !== 'success') failed.add(id);
	}
	return { times, failed, nameless };
}

interface Phase {
	title: string;
	records: Record[];
	/** Executions that started in it; n8n had done everything else before it began. */
	nameless: Nameless[];
}

/** The phases of a target in the order in which they began. */
function phasesOf(records: Record[], nameless: Nameless[]): Phase[] {
	const groups = [...Map.groupBy(records, ({ phase }) => phase)].map(([title, own]) => ({
		...{ title, records: own, nameless: [] as Nameless[] },
		start: Math.min(...own.map(({ startedAt }) => startedAt)),
	}));
	groups.sort((one, other) => one.start - other.start);
	for (const one of nameless) {
		groups.findLast(({ start }) => start <= one.startedAt)?.nameless.push(one);
	}
	return groups;
}

interface Judged {
	row: Row;
	/** Executions that can belong to no delivery. */
	strangers: number;
}

function judgePhase(mode: string, phase: Phase, { times, failed }: Stored): Judged {
	const { title, records, nameless } = phase;
	const answered = records.filter(isSuccess);
	const took = records.map((record) => record.took);
	const stored = (record: Record) => times.get(record.deliveryId) ?? 0;
	const missing = answered.filter((record) => stored(record) === 0).length;
	const row = {
		mode,
		load: title,
		node: records[0]?.target ?? '',
		sent: records.length,
		'answered 2xx': answered.length,
		refused: records.filter(({ status }) => status !== undefined).length - answered.length,
		'no answer': records.filter(({ status }) => status === undefined).length,
		'inside 5 s': answered.filter((record) => record.took <= deliveryTimeout).length,
		'p50 ms': Math.round(quantile(took, 0.5)),
		'p95 ms': Math.round(quantile(took, 0.95)),
		'p99 ms': Math.round(quantile(took, 0.99)),
		'max ms': Math.round(Math.max(0, ...took)),
		lost: Math.max(0, missing - nameless.length),
		doubled: records.filter((record) => stored(record) > 1).length,
		'stored unanswered': records.filter((one) => !isSuccess(one) && stored(one) > 0).length,
		'data hidden by n8n': nameless.filter(({ error }) => error === undefined).length,
		'failed in n8n':
			nameless.filter(({ error }) => error !== undefined).length +
			records.filter(({ deliveryId }) => failed.has(deliveryId)).length,
	};
	return { row, strangers: Math.max(0, nameless.length - missing) };
}

/** One row for each phase and target, and what could not be told apart. */
export async function judge(mode: string, reader: Reader, targets: Target[], records: Record[]) {
	const known = new Set(records.map((record) => record.deliveryId));
	const judged: Judged[] = [];
	const nameless: Nameless[] = [];
	let strangers = 0;
	for (const target of targets) {
		const stored = await storedOf(reader, target);
		nameless.push(...stored.nameless);
		strangers += [...stored.times.keys()].filter((id) => !known.has(id)).length;
		const own = records.filter((record) => record.target === target.name);
		for (const phase of phasesOf(own, stored.nameless)) {
			judged.push(judgePhase(mode, phase, stored));
		}
	}
	const order = [...new Set(judged.map(({ row }) => row.load))];
	return {
		rows: order.flatMap((load) => judged.map(({ row }) => row).filter((row) => row.load === load)),
		nameless,
		strangers: judged.reduce((sum, one) => sum + one.strangers, strangers),
	};
}
