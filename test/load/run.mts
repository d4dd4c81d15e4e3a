// `npm run load [-- regular|queue] [--minutes 30] [--rate <a second, for each>]
// [--bursts 10,50,200,1000] [--folder <for the raw figures>] [NAME=value ...]`: bursts and a steady
// load for our trigger, beside n8n's own Webhook node in the same n8n, which gets the variables.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { root } from '../../sandbox/shared/paths.mts';
import type { Mode } from '../deployment/deployment.mts';
import { variablesIn } from '../support/soleTrigger.mts';
import { save, table, type Row } from '../deployment/figures.mts';
import { measured as environment, start } from '../deployment/start.mts';
import { measure } from './measure.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		minutes: { type: 'string', default: '30' },
		rate: { type: 'string' },
		bursts: { type: 'string', default: '10,50,200,1000' },
		folder: { type: 'string', default: path.join(root, 'test', 'artefacts', 'load') },
	},
});

function numberOf(name: string, text: string, most: number): number {
	const number = Number(text);
	if (number > 0 && number <= most) return number;
	throw new Failure(`--${name} is a number above 0, at most ${most}.`);
}

const isVariable = (word: string) => word.includes('=');

function chooseModes(): Mode[] {
	const given = positionals.find((word) => !isVariable(word));
	if (given === undefined) return ['regular', 'queue'];
	if (given === 'regular' || given === 'queue') return [given];
	throw new Failure(`"${given}" is no mode: regular or queue.`);
}

/** n8n may refuse deliveries of a bigger burst: it cannot take any number at once. */
const bearable = 200;

const isBearable = ({ load }: Row) =>
	Number(/^burst of (\d+)$/.exec(String(load))?.[1] ?? 0) <= bearable;

/** What makes the run a failure; slow answers are figures, lost deliveries are not. */
function faultsOf(loads: Row[], strangers: number): string[] {
	const sum = (rows: Row[], column: string) =>
		rows.reduce((total, row) => total + Number(row[column]), 0);
	const counted = [
		...['lost', 'doubled'].map((column) => [column, sum(loads, column)] as const),
		...['refused', 'no answer', 'failed in n8n'].map(
			(column) => [column, sum(loads.filter(isBearable), column)] as const,
		),
		['of no delivery', strangers] as const,
	];
	return counted.filter(([, number]) => number > 0).map(([what, number]) => `${number} ${what}`);
}

async function main(): Promise<number> {
	const minutes = numberOf('minutes', values.minutes, 600);
	const rate = values.rate === undefined ? undefined : numberOf('rate', values.rate, 1_000);
	const bursts = values.bursts.split(',').map((size) => numberOf('bursts', size, 5_000));
	const modes = chooseModes();
	if (!(await holdLock('load'))) {
		throw new Failure('The load of this checkout is running already: wait for it.');
	}
	const loads: Row[] = [];
	const memory: Row[] = [];
	const env = { ...environment, ...variablesIn(positionals.filter(isVariable)) };
	let strangers = 0;
	for (const mode of modes) {
		const folder = path.join(root, '.load', mode);
		const deployment = await start(mode, { folder, env, log: console.log });
		const given = { bursts, minutes, rate, folder: values.folder };
		const measured = await measure({ deployment, ...given, log: console.log });
		await deployment.stop();
		loads.push(...measured.loads);
		memory.push(...measured.memory);
		strangers += measured.strangers;
	}
	await save(path.join(values.folder, 'tables.json'), { env, loads, memory, strangers });
	console.log(`\n${table(loads)}\n\n${table(memory)}`);
	const found = faultsOf(loads, strangers);
	console.log(`\n${found.length === 0 ? 'Nothing lost, nothing doubled.' : found.join(', ')}`);
	return found.length === 0 ? 0 : 1;
}

await runCommand(main, 130);
