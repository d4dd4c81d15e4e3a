// `npm run test:faults [-- regular|queue]`: one fault of each kind. With `--long`: all of
// them, with more under way; `--rounds 3` repeats them.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import type { Mode } from '../deployment/deployment.mts';
import { table, type Row } from '../deployment/figures.mts';
import { runFiles } from '../e2e/support/runFiles.mts';
import { rowsFile, variables } from './support/scenarios.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		long: { type: 'boolean', default: false },
		rounds: { type: 'string', default: '1' },
	},
});

async function chooseFiles(word: string): Promise<Array<[Mode, string]>> {
	const all = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.mts'));
	const chosen = all.filter((name) => name.includes(word)).sort();
	if (chosen.length === 0) throw new Failure(`"${word}" is no mode: regular or queue.`);
	return chosen
		.reverse()
		.map((name) => [
			path.basename(name, '.test.mts') as Mode,
			path.join(import.meta.dirname, name),
		]);
}

/** A table for each kind of work: what is counted differs. */
async function report(modes: Mode[]): Promise<void> {
	const rows: Row[] = [];
	for (const mode of modes) {
		const text = await readFile(rowsFile(mode), 'utf8').catch(() => '[]');
		rows.push(...(JSON.parse(text) as Row[]));
	}
	for (const kind of ['burst', 'waiting', 'bulk']) {
		const chosen = rows.filter((row) => String(row['in the middle of']).startsWith(kind));
		if (chosen.length > 0) console.log(`\n${table(chosen)}`);
	}
}

async function main(): Promise<number> {
	if (!/^[1-9]\d?$/.test(values.rounds)) throw new Failure('--rounds is a number from 1 to 99.');
	const files = await chooseFiles(positionals[0] ?? '');
	if (!(await holdLock('faults'))) {
		throw new Failure('The faults of this checkout are running already: wait for them.');
	}
	process.env[variables.length] = values.long ? 'long' : 'short';
	process.env[variables.rounds] = values.rounds;
	const { passed, failed } = await runFiles(files.map(([, file]) => file));
	await report(files.map(([mode]) => mode));
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
