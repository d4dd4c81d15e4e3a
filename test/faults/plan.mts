import type { Mode } from '../../bench/deployment/deployment.mts';
import type { Row } from '../../bench/support/tables.mts';
import { sandboxAt } from '../../bench/deployment/service.mts';
import { supervise } from './support/supervisor.mts';
import type { Bench } from './support/bench.mts';
import { bulk } from './work/bulk.mts';
import { burst } from './work/deliveries.mts';
import { waitingOnes } from './work/waiting.mts';

/** In the middle of what a process dies. */
export type Work = 'burst' | 'waiting' | 'bulk' | 'bulk, Continue On Fail';

export interface Scenario {
	victim: string;
	work: Work;
}

/** How much of each; `long` is what the figures of the documentation come from. */
const sizes = {
	short: { burst: 60, waiting: 30, bulk: 150 },
	long: { burst: 200, waiting: 200, bulk: 300 },
} as const;
export type Length = keyof typeof sizes;

const works: Work[] = ['burst', 'waiting', 'bulk'];

const victims: Record<Mode, string[]> = {
	regular: ['n8n', 'service'],
	queue: ['main', 'worker', 'webhook', 'redis', 'postgres', 'service'],
};

/** One fault of each kind, each in the middle of what it harms most. */
const briefly: Record<Mode, Scenario[]> = {
	regular: [
		{ victim: 'n8n', work: 'burst' },
		{ victim: 'n8n', work: 'waiting' },
		{ victim: 'service', work: 'bulk' },
	],
	queue: [
		{ victim: 'main', work: 'waiting' },
		{ victim: 'worker', work: 'bulk' },
		{ victim: 'webhook', work: 'burst' },
		{ victim: 'redis', work: 'burst' },
		{ victim: 'postgres', work: 'waiting' },
	],
};

/** Every process in the middle of everything. */
function fully(mode: Mode): Scenario[] {
	const all = victims[mode].flatMap((victim) => works.map((work) => ({ victim, work })));
	return [...all, { victim: 'service', work: 'bulk, Continue On Fail' }];
}

export const plan = (mode: Mode, length: Length): Scenario[] =>
	length === 'short' ? briefly[mode] : fully(mode);

/** Carries a scenario out and answers what became of it; afterwards everything runs again. */
export async function carryOut(bench: Bench, scenario: Scenario, length: Length): Promise<Row> {
	const { victim, work } = scenario;
	const size = sizes[length];
	const fault = () => bench.choose(victim);
	try {
		if (work === 'burst') return await burst(bench, fault, size.burst);
		if (work === 'waiting') return await waitingOnes(bench, fault, size.waiting);
		const settings = work === 'bulk' ? {} : { onError: 'continueRegularOutput' };
		const holding = (executionId: string) => () => bench.choose(victim, executionId);
		return await bulk(bench, holding, size.bulk, settings);
	} finally {
		await supervise(bench.members).revive();
		await sandboxAt(bench.service.url).slowDown(0);
	}
}
