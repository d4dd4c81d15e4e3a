import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { startSoleTrigger, variablesIn, type SoleTrigger } from '../support/soleTrigger.mts';
import { casesFor, firstCases, send, type Campaign } from './support/campaign.mts';
import { check } from './support/checks.mts';
import { worldOf } from './support/letters.mts';
import { markdown, rowsOf, saveFigures } from './support/report.mts';

// Usage: node test/fuzz/run.mts [deliveries] [seed]: 20,000 unless given, with another seed each time.
//        node test/fuzz/run.mts --only <seed>:<number>: one case again.
//        ... NAME=value: with this variable for n8n.

/** n8n's other engine starts an isolate for every delivery, which takes ten times as long. */
const fast = { N8N_EXPRESSION_ENGINE: 'legacy' };

interface Order {
	seed: number;
	/** How many deliveries, or the one case that is wanted. */
	deliveries: number;
	only?: number;
	/** For n8n. */
	variables: Record<string, string>;
}

function wholeNumber(text: string, name: string): number {
	const number = Number(text);
	if (Number.isSafeInteger(number) && number >= 0) return number;
	throw new Failure(`The ${name} has to be a whole number; "${text}" is none.`);
}

function orderOf(args: string[]): Order {
	const options = { only: { type: 'string' } } as const;
	const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true });
	const isVariable = (word: string) => word.includes('=');
	const positionals = words.filter((word) => !isVariable(word));
	const variables = { ...fast, ...variablesIn(words.filter(isVariable)) };
	if (values.only !== undefined) {
		const [seed = '', index = ''] = values.only.split(':');
		const only = wholeNumber(index, 'number');
		return { seed: wholeNumber(seed, 'seed'), deliveries: 1, only, variables };
	}
	const [deliveries = '20000', seed = String(randomInt(2 ** 31))] = positionals;
	return {
		deliveries: wholeNumber(deliveries, 'number of deliveries'),
		seed: wholeNumber(seed, 'seed'),
		variables,
	};
}

async function carryOut(order: Order, trigger: SoleTrigger): Promise<number> {
	const { seed, deliveries, only } = order;
	const world = worldOf(seed);
	const onProgress = (answered: number) => console.log(`  ${answered} answered`);
	const campaign: Campaign = { seed, url: trigger.url, world, onProgress };
	const drafts = only === undefined ? firstCases(seed, deliveries) : casesFor(seed, only);
	const started = Date.now();
	const entries = await send(campaign, drafts);
	const seconds = Math.round((Date.now() - started) / 1000);
	const rows = rowsOf(entries);
	const checks = await check(campaign, trigger, entries);

	console.log(
		`\n${markdown(rows)}\n\nSeed ${seed}, ${seconds} s, ${(entries.length / seconds).toFixed(0)} a second`,
	);
	for (const { rule, faults } of checks) {
		console.log(`${faults.length === 0 ? '✓' : '✗'} ${rule}`);
		for (const fault of faults.slice(0, 10)) console.log(`${fault}\n`);
	}
	const failed = checks.filter(({ faults }) => faults.length > 0).length;
	const place = saveFigures({ seed, seconds, rows, checks });
	console.log(`The figures are in ${place}\n\n${checks.length - failed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

async function main(): Promise<number> {
	const order = orderOf(process.argv.slice(2));
	if (!(await holdLock('fuzz'))) {
		throw new Failure('This checkout is being fuzzed already: wait for it.');
	}
	const { seed, variables } = order;
	return await carryOut(order, await startSoleTrigger('.fuzz', worldOf(seed), variables));
}

await runCommand(main, 130);
