import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../sandbox/shared/failure.mts';
import { mapSome } from '../deployment/counter.mts';
import { sendOne, type Record } from './record.mts';
import type { Target, Targets } from './target.mts';

/** Deliveries that may be under way before the machine counts as overrun. */
const mostUnderWay = 2_000;

export interface SteadyOptions {
	targets: Targets;
	secret: string;
	/** Deliveries a second for each of the two. */
	rate: number;
	minutes: number;
	log: (line: string) => void;
}

/**
 * Sends to both in turn at a fixed rate, whether or not earlier ones have been answered: a sender
 * does not wait for a slow receiver either.
 */
export async function sendSteadily(options: SteadyOptions): Promise<Record[]> {
	const { targets, secret, rate, minutes, log } = options;
	const records: Record[] = [];
	const sending: Array<Promise<void>> = [];
	const total = Math.round(2 * rate * minutes * 60);
	const started = Date.now();
	for (let sent = 0; sent < total; sent += 1) {
		const due = started + (sent * 1000) / (2 * rate);
		if (due > Date.now()) await sleep(due - Date.now());
		const target: Target = sent % 2 === 0 ? targets.ours : targets.plain;
		sending.push(sendOne(target, 'steady', secret).then((record) => void records.push(record)));
		const underWay = sending.length - records.length;
		if (underWay > mostUnderWay) {
			throw new Failure(
				`${underWay} deliveries are unanswered: ${rate} a second for each is too much here, choose fewer with --rate.`,
			);
		}
		if (sent % (2 * rate * 60) === 0 && sent > 0) log(`  ${sent} of ${total} sent`);
	}
	await Promise.all(sending);
	return records;
}

const warmUp = 'warm-up, 4 at a time';
const probeSize = 100;
const probeAtOnce = 4;
/** Of what the machine can do at most; the rest is for its other work and for cleaning up. */
const share = 0.4;
const highest = 10;

/**
 * Finds a rate that the machine bears: sends a few at a time to both in turn, as fast as they are
 * answered, and takes a part of that; at most 10 a second for each. This warms n8n up as well.
 */
export async function findRate({ ours, plain }: Targets, secret: string) {
	const started = Date.now();
	const list = Array.from({ length: probeSize }, (_, index) => (index % 2 === 0 ? ours : plain));
	const records = await mapSome(list, probeAtOnce, (target) => sendOne(target, warmUp, secret));
	const perSecond = (probeSize * 1000) / (Date.now() - started);
	const rate = Math.max(0.5, Math.min(highest, Math.floor(perSecond * share) / 2));
	return { perSecond, rate, records };
}
