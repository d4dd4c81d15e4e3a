import { readFileSync } from 'node:fs';
import path from 'node:path';
import { outcomeOf } from '../../support/answers.mts';
import type { SoleTrigger } from '../../support/soleTrigger.mts';
import type { Campaign } from './campaign.mts';
import { addTraces, hasLeak, noTraces } from './leaks.mts';
import { miscounted, type Entry, type Fault } from './ledger.mts';
import { goodDelivery } from './letters.mts';
import { describeFault } from './report.mts';
import { blindSpots } from './selfTest.mts';
import { contentOf, readStored, type Stored } from './stored.mts';
import { deliver } from './wire.mts';

/** One rule and what broke it, ready to be printed. */
export interface Check {
	rule: string;
	faults: string[];
}

/** Contents that were accepted and stored a different number of times. */
function differences(entries: Entry[], { items }: Stored): string[] {
	const accepted = entries.filter(({ outcome }) => outcome === 'accepted');
	const expected = Map.groupBy(accepted, ({ notification }) =>
		notification === undefined ? '(not a notification)' : contentOf(notification),
	);
	const contents = new Set([...expected.keys(), ...items.keys()]);
	return [...contents].flatMap((content) => {
		const counts = [expected.get(content)?.length ?? 0, items.get(content) ?? 0] as const;
		return counts[0] === counts[1] ? [] : [`${content}: ${counts.join(' accepted, executions: ')}`];
	});
}

const when = (isBroken: boolean, fault: string) => (isBroken ? [fault] : []);

/** Checks every rule against all answers and against what n8n has stored and logged. */
export async function check(
	{ seed, url, world }: Campaign,
	{ n8n, userFolder, workflowId }: SoleTrigger,
	entries: Entry[],
): Promise<Check[]> {
	const describe = (what: string) => (entry: Entry) => describeFault(seed, url, what, entry);
	const withFault = (fault: Fault) =>
		entries.filter((entry) => entry.fault === fault).map(describe(fault));
	const stored = await readStored(userFolder, workflowId, world);
	const accepted = entries.filter(({ outcome }) => outcome === 'accepted').length;
	const logFile = path.join(userFolder, path.basename(n8n.logFile));
	const last = await deliver(url, goodDelivery(world, Date.now()));
	const isAlive = last !== undefined && outcomeOf(last) === 'accepted';
	const inLog = noTraces();
	addTraces(inLog, readFileSync(logFile, 'utf8'), world);
	return [
		{
			rule: 'These rules notice a receiver that gives everybody the same answer',
			faults: blindSpots(seed, world).map((receiver) => `  not ${receiver}`),
		},
		{ rule: 'No forgery is accepted', faults: withFault('forgery accepted') },
		{ rule: 'Nothing genuine is refused', faults: withFault('genuine refused') },
		{
			rule: 'Every other answer is the constant one that was due',
			faults: withFault('unexpected answer'),
		},
		{
			rule: 'A notification is accepted once and is a duplicate from then on',
			faults: miscounted(entries).map(describe('not exactly once')),
		},
		{
			rule: `As many executions as accepted deliveries (${accepted}), each with its item`,
			faults: [
				...when(stored.executions !== accepted, `  n8n has ${stored.executions}`),
				...when(stored.failed > 0, `  ${stored.failed} executions did not succeed`),
				...differences(entries, stored).map((line) => `  ${line}`),
			],
		},
		{
			rule: 'No secret and no expected signature in executions and log',
			faults: [
				...when(hasLeak(stored.traces, entries, world), '  an execution has one'),
				...when(hasLeak(inLog, entries, world), '  the log has one'),
			],
		},
		{
			rule: 'n8n is alive and takes the next good delivery',
			faults: when(!isAlive, '  it does not'),
		},
	];
}
