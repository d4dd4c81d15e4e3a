// `npm run bench -- scale`: how time and memory grow with the items of a bulk create, with the
// participants of one collection request, with the number of waiting executions and with the
// collection requests that each of them waits for, in one process and in queue mode.
import { randomBytes } from 'node:crypto';
import pMap from 'p-map';
import { credentialType } from '../sandbox/n8n/examples.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { poll } from '../sandbox/shared/poll.mts';
import { countable, prepare, start, type Deployment, type Mode } from './deployment/deployment.mts';
import { createReader } from './deployment/executions.mts';
import {
	completeAndNotify,
	sandboxAt,
	startServiceBehindFront,
	type KnownRequest,
} from './deployment/service.mts';
import { startWaiting, type Waits } from './deployment/waiting.mts';
import { startCountingService } from './support/countingService.mts';
import { inviting, packageNode, runCreates, type Run } from './support/creates.mts';
import { meter } from './support/meter.mts';
import { report } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { spreadOf, written } from './support/statistics.mts';
import type { Row } from './support/tables.mts';

const rounds = amount(3, 1);
const items = amount([1, 10, 100, 1_000, 10_000], [1, 10]);
const participants = amount([1, 10, 100, 1_000, 10_000], [1, 10]);
const waits = amount([1, 10, 100, 1_000], [1, 10]);
const awaited = amount([1, 10, 100], [1, 10]);
const concurrency = 25;

const names: Record<Mode, string> = { regular: 'one process', queue: 'queue mode' };

/** The results of each run of one size. */
interface Sized<R> {
	size: number;
	runs: R[];
}

/** Several rounds through all sizes, so that changes on the machine affect each of them. */
async function series<R>(sizes: number[], run: (size: number) => Promise<R>): Promise<Sized<R>[]> {
	// The very first run is a warm-up and does not count.
	await run(sizes[0] ?? 1);
	const points = sizes.map((size): Sized<R> => ({ size, runs: [] }));
	for (let round = 0; round < rounds; round += 1) {
		for (const { size, runs } of points) runs.push(await run(size));
	}
	return points;
}

async function creates(deployment: Deployment) {
	const service = await startCountingService({ delay: 0 });
	const around = { deployment, service };
	const byItems = await series(items, async (size) =>
		runCreates(packageNode(concurrency), { ...around, items: size }),
	);
	const byParticipants = await series(participants, async (size) =>
		runCreates(packageNode(1, inviting), { ...around, items: 1, participants: size }),
	);
	await service.stop();
	return { byItems, byParticipants };
}

interface WaitRun {
	/** Milliseconds until all executions wait. */
	start: number;
	/** Milliseconds from the first completion until all executions have succeeded. */
	resume: number;
	/** Seconds of processor time for both. */
	processor: number;
	/** MiB that n8n uses in addition while all of them wait. */
	held: number;
}

/**
 * Makes `size` executions wait for `each` collection requests, completes all of these, ten at a
 * time, and waits for the executions to end.
 */
async function runWaits(
	{ members }: Deployment,
	waiting: Waits,
	serviceUrl: string,
	size: number,
	each = 1,
): Promise<WaitRun> {
	const { rest, reader } = waiting;
	const sandbox = sandboxAt(serviceUrl);
	const used = meter(members);
	const started = Date.now();
	const { workflow, identifier } = await startWaiting(waiting, size, each);
	const waited = Date.now();
	const { held } = used();
	const requests = await sandbox.requests(identifier);
	if (requests.length !== size * each) {
		throw new Failure(`${requests.length} requests in place of ${size * each}`);
	}
	const completed = Date.now();
	// Of several notifications that could continue one execution, n8n refuses all but one.
	const expected = each === 1 ? [200] : [200, 409, 500];
	const complete = async ({ request: { _id: id } }: KnownRequest) => {
		const { statusCode, error } = await completeAndNotify(sandbox, id);
		if (expected.includes(statusCode ?? 0)) return;
		throw new Failure(`The notification about ${id} ended with: ${statusCode ?? error}`);
	};
	await pMap(requests, complete, { concurrency: 10 });
	const succeeded = () => reader.count(workflow.id, ['success']);
	await poll({
		expected: `${size} executions to succeed`,
		within: 600_000,
		read: async () => ((await succeeded()) >= size ? true : undefined),
		describe: async () => `${await succeeded()} have.`,
	});
	const resume = Date.now() - completed;
	await rest.deactivate(workflow.id);
	return { start: waited - started, resume, processor: used().processor, held };
}

async function waiting(deployment: Deployment) {
	const { rest, url, folder } = deployment;
	const service = await startServiceBehindFront(folder);
	const fields = service.credentialFields(randomBytes(24).toString('hex'));
	const credential = await rest.createCredential('Scale', credentialType, fields);
	const around = { rest, url, reader: await createReader(rest, url), credential };
	const byWaits = await series(waits, (size) => runWaits(deployment, around, service.url, size));
	const byAwaited = await series(awaited, (each) =>
		runWaits(deployment, around, service.url, 1, each),
	);
	await service.stop();
	return { byWaits, byAwaited };
}

interface Column<R> {
	title: string;
	value: (run: R) => number;
	digits: number;
	/** Shows the maximum: a later run can reuse memory that an earlier one has left. */
	isMost?: boolean;
}

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

/**
 * A row for each size. The time of one is the first column divided by the size; the growth is the
 * power of the size by which the time grew since the row above: 1 is linear, less is better.
 */
function growthRows<R>(title: string, columns: Array<Column<R>>, points: Array<Sized<R>>): Row[] {
	const spread = ({ runs }: Sized<R>, column?: Column<R>) =>
		spreadOf(runs.map((run) => column?.value(run) ?? Number.NaN));
	const time = (point: Sized<R>) => spread(point, columns[0]).median;
	const growth = (before: Sized<R>, point: Sized<R>) =>
		Math.log(time(point) / time(before)) / Math.log(point.size / before.size);
	return points.map((point, index) => {
		const before = points[index - 1];
		const cells = columns.map((column) => {
			const { title: name, digits, isMost = false } = column;
			const found = spread(point, column);
			return [name, isMost ? found.most.toFixed(digits) : written(found, digits)] as const;
		});
		return {
			[title]: point.size.toLocaleString('en'),
			...Object.fromEntries(cells),
			'ms for one': (time(point) / point.size).toFixed(2),
			Growth: before === undefined ? '' : growth(before, point).toFixed(2),
		};
	});
}

async function measure(mode: Mode) {
	const deployment = await start(mode, { env: countable });
	const raw = { ...(await creates(deployment)), ...(await waiting(deployment)) };
	await deployment.stop();
	const tables = [
		growthRows(`Items, ${names[mode]}`, createColumns, raw.byItems),
		growthRows(`Participants, ${names[mode]}`, createColumns, raw.byParticipants),
		growthRows(`Waiting executions, ${names[mode]}`, waitColumns, raw.byWaits),
		growthRows(`Requests of one wait, ${names[mode]}`, waitColumns, raw.byAwaited),
	];
	return { raw, tables };
}

async function main(): Promise<number> {
	await prepare(['regular', 'queue']);
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
