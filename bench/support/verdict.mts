import type { Execution } from '../../sandbox/n8n/types.mts';
import { textOf, type Reader } from './executions.mts';
import { deliveryTimeout, isSuccess, type Attempt } from './sender.mts';
import { quantile } from './statistics.mts';
import type { Row } from '../../sandbox/shared/tables.mts';
import type { Target } from './target.mts';

/** A delivery that was sent once, and its outcome. */
export interface Posted extends Attempt {
	/** Title of its target. */
	target: string;
	/** For example `burst of 50`. */
	phase: string;
}

/** An execution without data: n8n hides it, or has stored none. */
interface WithoutData {
	id: string;
	status: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	/** Why it failed, if it did. */
	error: string | undefined;
}

/** Compares what n8n has stored with what was sent. */
export interface Verdict {
	/** One for each phase and target. */
	rows: Row[];
	withoutData: WithoutData[];
	/** Executions that match no delivery that was sent. */
	unmatched: number;
}

/** The delivery ID in our trigger's output, and in the headers that the Webhook node outputs. */
const deliveryId = /"(?:deliveryId|x-svc-delivery-id)":"([0-9a-f-]{36})"/;

interface Stored {
	/** How often each delivery was stored as an execution of the workflow. */
	times: Map<string, number>;
	/** Deliveries whose execution did not succeed. */
	failed: Set<string>;
	withoutData: WithoutData[];
}

function withoutDataOf({ id, status, startedAt, stoppedAt, data }: Execution): WithoutData {
	const error = data?.resultData?.error?.message;
	return {
		// One that failed before it started has no start.
		...{ id, status, startedAt: Date.parse(String(startedAt ?? stoppedAt)) },
		error: typeof error === 'string' ? error : undefined,
	};
}

async function storedOf(reader: Reader, { workflowId }: Target): Promise<Stored> {
	const stored: Stored = { times: new Map(), failed: new Set(), withoutData: [] };
	for await (const execution of reader.each(workflowId)) {
		const id = deliveryId.exec(textOf(execution))?.[1];
		if (id === undefined) stored.withoutData.push(withoutDataOf(execution));
		else stored.times.set(id, (stored.times.get(id) ?? 0) + 1);
		if (id !== undefined && execution.status !== 'success') stored.failed.add(id);
	}
	return stored;
}

interface Phase {
	title: string;
	posted: Posted[];
	/** Executions that started in it; n8n had finished everything else before the phase began. */
	withoutData: WithoutData[];
}

/** The phases of a target in chronological order. */
function phasesOf(posted: Posted[], withoutData: WithoutData[]): Phase[] {
	const phases = [...Map.groupBy(posted, ({ phase }) => phase)].map(([title, own]) => ({
		...{ title, posted: own, withoutData: [] as WithoutData[] },
		start: Math.min(...own.map(({ startedAt }) => startedAt)),
	}));
	phases.sort((one, other) => one.start - other.start);
	for (const one of withoutData) {
		phases.findLast(({ start }) => start <= one.startedAt)?.withoutData.push(one);
	}
	return phases;
}

/** The row of a phase, and how many executions can match no delivery. */
function judgePhase(
	mode: string,
	{ title, posted, withoutData }: Phase,
	{ times, failed }: Stored,
) {
	const count = (list: Posted[], matches: (one: Posted) => boolean) => list.filter(matches).length;
	const stored = (one: Posted) => times.get(one.deliveryId) ?? 0;
	const accepted = posted.filter(isSuccess);
	const missing = count(accepted, (one) => stored(one) === 0);
	const silent = count(posted, ({ status }) => status === undefined);
	const withError = withoutData.filter(({ error }) => error !== undefined).length;
	const took = posted.map((one) => one.took);
	const row = {
		mode,
		load: title,
		node: posted[0]?.target ?? '',
		sent: posted.length,
		'answered 2xx': accepted.length,
		refused: posted.length - silent - accepted.length,
		'no answer': silent,
		'inside 5 s': count(accepted, (one) => one.took <= deliveryTimeout),
		'p50 ms': Math.round(quantile(took, 0.5)),
		'p95 ms': Math.round(quantile(took, 0.95)),
		'p99 ms': Math.round(quantile(took, 0.99)),
		'max ms': Math.round(quantile(took, 1)),
		// Each of those without data may be one of these; n8n does not say which.
		lost: missing,
		'without data': withoutData.length,
		doubled: count(posted, (one) => stored(one) > 1),
		'stored unanswered': count(posted, (one) => !isSuccess(one) && stored(one) > 0),
		'failed in n8n': withError + count(posted, (one) => failed.has(one.deliveryId)),
	};
	return { row, unmatched: Math.max(0, withoutData.length - missing) };
}

/** Compares what was sent to the targets with what n8n has stored. */
export async function judge(
	mode: string,
	reader: Reader,
	targets: Target[],
	posted: Posted[],
): Promise<Verdict> {
	const known = new Set(posted.map((one) => one.deliveryId));
	const verdict: Verdict = { rows: [], withoutData: [], unmatched: 0 };
	for (const target of targets) {
		const stored = await storedOf(reader, target);
		const unmatched = [...stored.times.keys()].filter((id) => !known.has(id));
		verdict.withoutData.push(...stored.withoutData);
		verdict.unmatched += unmatched.length;
		const own = posted.filter((one) => one.target === target.title);
		for (const phase of phasesOf(own, stored.withoutData)) {
			const judged = judgePhase(mode, phase, stored);
			verdict.rows.push(judged.row);
			verdict.unmatched += judged.unmatched;
		}
	}
	// The targets of each phase side by side.
	verdict.rows = [...Map.groupBy(verdict.rows, ({ load }) => load).values()].flat();
	return verdict;
}
