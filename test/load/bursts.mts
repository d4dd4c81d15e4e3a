import type { Reader } from '../deployment/reader.mts';
import { sendOne, type Record } from './record.mts';
import type { Target, Targets } from './target.mts';

/** How often a burst is sent: a small one alone says little. */
const timesOf = (size: number) => Math.min(5, Math.max(1, Math.round(150 / size)));
const settleWithin = 600_000;

export interface BurstOptions {
	targets: Targets;
	/** How many deliveries at once, in this order. */
	sizes: number[];
	secret: string;
	reader: Reader;
	log: (line: string) => void;
}

/** Sends every burst to both in turn, each after n8n has done all of the one before. */
export async function sendBursts(options: BurstOptions): Promise<Record[]> {
	const { targets, sizes, secret, reader, log } = options;
	const records: Record[] = [];
	const burst = async (target: Target, size: number) => {
		const phase = `burst of ${size}`;
		const sending = Array.from({ length: size }, () => sendOne(target, phase, secret));
		records.push(...(await Promise.all(sending)));
		await reader.settle(target.workflowId, settleWithin);
	};
	for (const size of sizes) {
		const times = timesOf(size);
		log(`  ${times} times ${size} at once`);
		for (let time = 0; time < times; time += 1) {
			const pair = [targets.ours, targets.plain];
			// Who comes first changes, so that neither is favoured.
			for (const target of time % 2 === 0 ? pair : pair.reverse()) await burst(target, size);
		}
	}
	return records;
}
