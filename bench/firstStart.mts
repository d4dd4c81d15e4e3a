// `npm run bench -- firstStart`: from a fresh clone to the end of `npm run demo`, compared with the
// installation of n8n alone. Each runs once, in a new clone and with an empty cache: it downloads
// several gigabytes.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from '../sandbox/shared/paths.mts';
import { report } from './support/report.mts';
import { runBench } from './support/runBench.mts';

interface Contender {
	name: string;
	/** A folder in the clone. */
	folder: string;
	/** npm's arguments for each call, in order. */
	calls: string[][];
}

const contenders: Contender[] = [
	{
		name: "n8n's own installation, which is `npm ci` and `npm rebuild`",
		folder: path.join('sandbox', 'n8n'),
		calls: [
			['ci', '--legacy-peer-deps', '--ignore-scripts'],
			['rebuild', 'node', 'sqlite3', '--ignore-scripts=false'],
		],
	},
	{
		name: 'From a fresh clone to the end of `npm run demo`',
		folder: '.',
		calls: [['run', 'demo']],
	},
];

/** The machine's own variables, without those of the current npm and of what is installed here. */
function ownEnvironment(cache: string): Record<string, string | undefined> {
	const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/i.test(name));
	const places = (process.env.PATH ?? '').split(path.delimiter);
	return {
		...Object.fromEntries(kept),
		PATH: places.filter((place) => !place.includes('node_modules')).join(path.delimiter),
		npm_config_cache: cache,
		npm_config_devdir: path.join(cache, 'node-gyp'),
	};
}

/** The seconds that a contender takes, and the size of its clone afterwards in gigabytes. */
async function measure({ name, folder, calls }: Contender) {
	const place = await mkdtemp(path.join(tmpdir(), 'first-start-'));
	const remove = () => rmSync(place, { recursive: true, force: true });
	process.once('exit', remove);
	const clone = path.join(place, 'clone');
	await execa('git', ['clone', '--quiet', root, clone]);
	const env = ownEnvironment(path.join(place, 'cache'));
	const options = { cwd: path.join(clone, folder), env, extendEnv: false } as const;
	const started = Date.now();
	for (const args of calls) await execa('npm', args, { ...options, stdin: 'ignore' });
	const seconds = (Date.now() - started) / 1000;
	const { stdout } = await execa('du', ['-sk', clone]);
	const gigabytes = (Number.parseInt(stdout, 10) * 1024) / 1e9;
	console.log(`  ${name}: ${seconds.toFixed(0)} s, ${gigabytes.toFixed(2)} GB`);
	process.off('exit', remove);
	remove();
	return { seconds, gigabytes };
}

async function main(): Promise<number> {
	const measured: Array<Awaited<ReturnType<typeof measure>>> = [];
	for (const contender of contenders) measured.push(await measure(contender));
	const alone = measured[0]?.seconds ?? Number.NaN;
	const rows = measured.map(({ seconds, gigabytes }, index) => ({
		'': contenders[index]?.name ?? '',
		Seconds: seconds.toFixed(0),
		Ratio: (seconds / alone).toFixed(2),
		'On the disk, GB': gigabytes.toFixed(2),
	}));
	await report({ name: 'firstStart', tables: [rows], raw: measured });
	return 0;
}

await runBench(main);
