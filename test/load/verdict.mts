import type { Row } from '../deployment/figures.mts';
import { textOf, type Reader } from '../deployment/reader.mts';
import { deliveryTimeout, isSuccess } from '../deployment/sender.mts';
import type { Record } from './record.mts';
import { percentile } from './statistics.mts';
import type { Target } from './target.mts';

/** The delivery ID as our trigger puts it out, and as the Webhook node does among the headers. */
const deliveryId = /"(?:deliveryId|x-svc-delivery-id)":"([0-9a-f-]{36})"/;

/** How often each delivery was stored as an execution of the workflow. */
async function storedTimes(reader: Reader, { workflowId }: Target): Promise<Map<string, number>> {
	const times = new Map<string, number>();
	for await (const execution of reader.each(workflowId)) {
		const id = deliveryId.exec(textOf(execution))?.[1] ?? `execution ${execution.id}`;
		times.set(id, (times.get(id) ?? 0) + 1);
	}
	return times;
}

function rowOf(mode: string, phase: string, records: Record[], times: Map<string, number>): Row {
	const answered = records.filter(isSuccess);
	const took = records.map((record) => record.took);
	const stored = (record: Record) => times.get(record.deliveryId) ?? 0;
	return {
		mode,
		load: phase,
		node: records[0]?.target ?? '',
		sent: records.length,
		'answered 2xx': answered.length,
		refused: records.filter(({ status }) => status !== undefined).length - answered.length,
		'no answer': records.filter(({ status }) => status === undefined).length,
		'inside 5 s': answered.filter((record) => record.took <= deliveryTimeout).length,
		'p50 ms': Math.round(percentile(took, 0.5)),
		'p95 ms': Math.round(percentile(took, 0.95)),
		'p99 ms': Math.round(percentile(took, 0.99)),
		'max ms': Math.round(Math.max(0, ...took)),
		lost: answered.filter((record) => stored(record) === 0).length,
		doubled: records.filter((record) => stored(record) > 1).length,
		'stored unanswered': records.filter((one) => !isSuccess(one) && stored(one) > 0).length,
	};
}

/** One row for each phase and target, and how many executions belong to no delivery. */
export async function judge(
	mode: string,
	reader: Reader,
	targets: Target[],
	records: Record[],
): Promise<{ rows: Row[]; strangers: number }> {
	const known = new Set(records.map((record) => record.deliveryId));
	const phases = [...new Set(records.map(({ phase }) => phase))];
	const rows: Array<{ phase: string; row: Row }> = [];
	let strangers = 0;
	for (const target of targets) {
		const times = await storedTimes(reader, target);
		strangers += [...times.keys()].filter((id) => !known.has(id)).length;
		for (const phase of phases) {
			const own = records.filter((one) => one.phase === phase && one.target === target.name);
			rows.push({ phase, row: rowOf(mode, phase, own, times) });
		}
	}
	const ordered = phases.flatMap((phase) => rows.filter((row) => row.phase === phase));
	return { rows: ordered.map(({ row }) => row), strangers };
}
