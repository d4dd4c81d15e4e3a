// `npm run bench -- scale`: how time and memory grow with the items of a bulk create, with the
// participants of one request and with the executions that wait, in one process and in queue mode.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { credentialType } from '../sandbox/n8n/examples.mts';
import { root } from '../sandbox/shared/paths.mts';
import type { Deployment, Mode } from '../test/deployment/deployment.mts';
import { createReader } from '../test/deployment/reader.mts';
import { startServiceBehindFront } from '../test/deployment/service.mts';
import { measured, start } from '../test/deployment/start.mts';
import { startCountingService } from './support/countingService.mts';
import { inviting, packageNode, runCreates, type Run } from './support/creates.mts';
import { growthTable, type Column, type Sized } from './support/growth.mts';
import { report, type Table } from './support/report.mts';
import { runBench } from './support/runBench.mts';
import { pidsOf, runWaits, type WaitRun } from './support/waits.mts';

const rounds = 3;
const items = [1, 10, 100, 1_000, 10_000];
const participants = [1, 10, 100, 1_000, 10_000];
const waits = [1, 10, 100, 1_000];
const concurrency = 25;

const names: Record<Mode, string> = { regular: 'one process', queue: 'queue mode' };

const createColumns: Array<Column<Run>> = [
	{ title: 'Time, ms', value: ({ time }) => time, digits: 0 },
	{ title: 'Processor, s', value: ({ processor }) => processor, digits: 1 },
	{ title: 'Memory at most, MiB more', value: ({ memory }) => memory, digits: 0, isMost: true },
];

const waitColumns: Array<Column<WaitRun>> = [
	{ title: 'From start to end, ms', value: (run) => run.start + run.resume, digits: 0 },
	{ title: 'until all wait, ms', value: (run) => run.start, digits: 0 },
	{ title: 'Processor, s', value: ({ processor }) => processor, digits: 1 },
	{ title: 'Memory while they wait, MiB more', value: ({ held }) => held, digits: 0, isMost: true },
];

/** Several rounds through all sizes, so that what changes on the machine meets each of them. */
async function series<R>(sizes: number[], run: (size: number) => Promise<R>): Promise<Sized<R>[]> {
	// The first run of all warms up and does not count.
	await run(sizes[0] ?? 1);
	const points = sizes.map((size): Sized<R> => ({ size, runs: [] }));
	for (let round = 0; round < rounds; round += 1) {
		for (const { size, runs } of points) runs.push(await run(size));
	}
	return points;
}

async function creates({ rest, members }: Deployment) {
	const service = await startCountingService({ delay: 0 });
	const around = { rest, service, pids: pidsOf(members) };
	const byItems = await series(items, async (size) =>
		runCreates(packageNode(concurrency), { ...around, items: size }),
	);
	const byParticipants = await series(participants, async (size) =>
		runCreates(packageNode(1, inviting), { ...around, items: 1, participants: size }),
	);
	await service.stop();
	return { byItems, byParticipants };
}

async function waiting({ rest, url, folder, members }: Deployment) {
	const service = await startServiceBehindFront(folder);
	const secret = randomBytes(24).toString('hex');
	const around = {
		...{ rest, url, serviceUrl: service.url, pids: pidsOf(members) },
		reader: await createReader(rest, url),
		credential: await rest.createCredential(
			'Scale',
			credentialType,
			service.credentialFields(secret),
		),
	};
	const points = await series(waits, async (size) => runWaits(around, size));
	await service.stop();
	return points;
}

async function measure(mode: Mode) {
	const folder = path.join(root, '.bench', mode);
	const deployment = await start(mode, { folder, env: measured, log: console.log });
	const raw = { ...(await creates(deployment)), byWaits: await waiting(deployment) };
	await deployment.stop();
	const where = names[mode];
	const tables: Table[] = [
		growthTable(`Items, ${where}`, createColumns, raw.byItems),
		growthTable(`Participants, ${where}`, createColumns, raw.byParticipants),
		growthTable(`Waiting executions, ${where}`, waitColumns, raw.byWaits),
	];
	return { raw, tables };
}

async function main(): Promise<number> {
	const regular = await measure('regular');
	const queue = await measure('queue');
	await report({
		name: 'scale',
		tables: [...regular.tables, ...queue.tables],
		raw: { regular: regular.raw, queue: queue.raw },
	});
	return 0;
}

await runBench(main);
