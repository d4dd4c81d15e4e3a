// `npm run bench -- footprint`: the package's size and what loading it costs, compared with three
// well-known community packages; and what n8n's start costs with and without the package.
import { readdir, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../sandbox/n8n/install.mts';
import { startN8n } from '../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../sandbox/n8n/nodePackage.mts';
import { signIn } from '../sandbox/n8n/owner.mts';
import { createRest } from '../sandbox/n8n/rest.mts';
import { run } from '../sandbox/shared/command.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { packageName, root } from '../sandbox/shared/paths.mts';
import { freePorts } from '../sandbox/shared/ports.mts';
import { npm } from './support/npm.mts';
import { report } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { spreadOf, written } from './support/statistics.mts';
import type { Row } from './support/tables.mts';

const rivals = [
	'n8n-nodes-evolution-api@1.0.4',
	'n8n-nodes-mcp@0.1.37',
	'@mendable/n8n-nodes-firecrawl@2.1.2',
];
const loads = amount(9, 1);
const starts = amount(5, 1);

const folder = path.join(root, '.bench', 'footprint');
const logFile = path.join(root, '.bench', 'footprint.log');

interface Packed {
	id: string;
	size: number;
	unpackedSize: number;
	entryCount: number;
	filename: string;
}

interface Loaded {
	milliseconds: number;
	mebibytes: number;
	nodes: number;
}

async function bytesOf(place: string): Promise<number> {
	const info = await stat(place);
	if (!info.isDirectory()) return info.size;
	const inside = await readdir(place);
	const sizes = await Promise.all(inside.map((name) => bytesOf(path.join(place, name))));
	return sizes.reduce((sum, size) => sum + size, 0);
}

/** Packs a package or downloads its tarball, and installs it with its dependencies. */
async function install(index: number, spec: string) {
	const place = path.join(folder, String(index));
	await mkdir(place, { recursive: true });
	const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', place];
	const output = await npm(spec === root ? pack : [...pack, spec]);
	const [packed] = JSON.parse(output.slice(output.indexOf('['))) as Packed[];
	if (packed === undefined) throw new Failure(`npm packed nothing of ${spec}.`);
	await writeFile(path.join(place, 'package.json'), '{ "private": true }\n');
	// n8n provides the peer dependencies, so they do not count.
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
	await npm(['install', path.join(place, packed.filename), ...flags], place);
	const name = packed.id.slice(0, packed.id.lastIndexOf('@'));
	const installed = path.join(place, 'node_modules');
	return {
		id: packed.id,
		packed,
		bytes: await bytesOf(installed),
		place: path.join(installed, name),
	};
}

async function load(place: string): Promise<Loaded> {
	const script = path.join(import.meta.dirname, 'support', 'loadPackage.mts');
	const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', script, place];
	const output = await run({ command: process.execPath, args, cwd: root, logFile });
	if (output === undefined) throw new Failure(`Loading ${place} failed: read ${logFile}.`);
	return JSON.parse(output.slice(output.lastIndexOf('{'))) as Loaded;
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

async function packages() {
	const installed = [];
	for (const [index, spec] of [root, ...rivals].entries()) {
		installed.push(await install(index, spec));
	}
	const loaded = installed.map((): Loaded[] => []);
	for (let round = 0; round < loads; round += 1) {
		for (const [index, { id, place }] of installed.entries()) {
			const one = await load(place);
			if (one.nodes === 0) throw new Failure(`${id} has no nodes when n8n loads it.`);
			loaded[index]?.push(one);
		}
	}
	const rows = installed.map(({ id, packed, bytes }, index): Row => {
		const own = loaded[index] ?? [];
		return {
			Package: id,
			'Packed, kB': kilobytes(packed.size),
			'Unpacked, kB': kilobytes(packed.unpackedSize),
			Files: packed.entryCount,
			'With dependencies, kB': kilobytes(bytes),
			'Load, ms': written(spreadOf(own.map(({ milliseconds }) => milliseconds)), 0),
			'Memory, MiB': written(spreadOf(own.map(({ mebibytes }) => mebibytes)), 1),
		};
	});
	const raw = installed.map(({ id, packed, bytes }, index) => ({
		...{ id, packed: packed.size, unpacked: packed.unpackedSize, files: packed.entryCount },
		...{ bytes, loaded: loaded[index] },
	}));
	return { rows, raw };
}

/** n8n, and the milliseconds from starting its process until it was ready. */
async function startIn(userFolder: string) {
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const start = Date.now();
	const n8n = await startN8n({ userFolder, port, runnersBrokerPort, log: () => undefined });
	return { n8n, time: Date.now() - start };
}

async function startOnce(userFolder: string): Promise<number> {
	const { n8n, time } = await startIn(userFolder);
	await n8n.stop();
	return time;
}

/** Sets up a folder's database; fails unless n8n has loaded the package exactly if `expected`. */
async function startFirst(userFolder: string, expected: boolean): Promise<void> {
	const { n8n } = await startIn(userFolder);
	const rest = createRest(n8n.url);
	await signIn(rest, userFolder);
	const types = await rest.nodeTypes();
	await n8n.stop();
	const isLoaded = types.some(({ name }) => String(name).startsWith(`${packageName}.`));
	if (isLoaded !== expected)
		throw new Failure(`n8n has ${isLoaded ? '' : 'not '}loaded the package.`);
}

async function n8nStarts() {
	const folders = ['without', 'with'].map((name) => path.join(folder, name));
	const [without = '', withPackage = ''] = folders;
	for (const name of folders) await mkdir(name, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder: withPackage, log: console.log });
	const times: Record<string, number[]> = { without: [], with: [] };
	await startFirst(without, false);
	await startFirst(withPackage, true);
	for (let round = 0; round < starts; round += 1) {
		times.without?.push(await startOnce(without));
		times.with?.push(await startOnce(withPackage));
	}
	const rows = Object.entries(times).map(
		([name, list]): Row => ({
			"n8n's start": `${name} ${packageName}`,
			Seconds: written(spreadOf(list.map((time) => time / 1000)), 1),
		}),
	);
	return { rows, raw: times };
}

async function main(): Promise<number> {
	await ensureN8nInstalled(console.log);
	await rm(folder, { recursive: true, force: true });
	await npm(['run', 'build']);
	const weight = await packages();
	const start = await n8nStarts();
	const raw = { packages: weight.raw, starts: start.raw };
	await report({ name: 'footprint', tables: [weight.rows, start.rows], raw });
	return 0;
}

await runBench(main);
