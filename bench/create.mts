// `npm run bench -- create`: 1,000 creates in a real n8n, against the ideal, against n8n's HTTP
// Request node, and against a service that allows 50 requests a second.
import { startCountingService } from './support/countingService.mts';
import {
	httpRequest,
	packageNode,
	runCreates,
	type Creates,
	type Run,
} from './support/creates.mts';
import { startBenchN8n, type BenchN8n } from './support/n8n.mts';
import { report, type Table } from './support/report.mts';
import { runBench } from './support/runBench.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';

const items = 1_000;
const rounds = 3;
const delays = [0, 20, 100];

type Around = Pick<Creates, 'rest' | 'pids' | 'items'>;

const timesOf = (runs: Run[]) => runs.map(({ time }) => time);
const medianOf = (runs: Run[], key: keyof Run) => spreadOf(runs.map((run) => run[key])).median;

/** How far the package is from items / concurrency x the service's time. */
async function againstIdeal(around: Around) {
	const delay = 100;
	const service = await startCountingService({ delay });
	const raw: Record<string, Run[]> = {};
	const rows: string[][] = [];
	for (const concurrency of [1, 5, 25]) {
		const runs: Run[] = [];
		for (let round = 0; round < rounds; round += 1) {
			runs.push(await runCreates(packageNode(concurrency), { ...around, service }));
		}
		const ideal = (items / concurrency) * delay;
		const ratio = spreadOf(timesOf(runs).map((time) => time / ideal));
		raw[concurrency] = runs;
		rows.push([
			String(concurrency),
			ideal.toLocaleString('en'),
			written(spreadOf(timesOf(runs)), 0),
			written(ratio),
		]);
	}
	await service.stop();
	const head = ['At once', 'Ideal, ms', 'Package, ms', 'Ratio'];
	return { table: { head, rows } satisfies Table, raw };
}

const pace = (batchSize: number, batchInterval: number) =>
	httpRequest(`${batchSize} each ${batchInterval} ms`, { batchSize, batchInterval });

/** The package and HTTP Request side by side, in turns. */
async function againstHttpRequest(around: Around, delay: number) {
	const service = await startCountingService({ delay });
	// Without a delay there is no pace that the batches could keep.
	const pairs = delay === 0 ? [] : [5, 25].map((size) => [packageNode(size), pace(size, delay)]);
	const ways = [...pairs.flat(), packageNode(50), httpRequest('all at once')];
	const runs = ways.map((): Run[] => []);
	for (let round = 0; round < rounds; round += 1) {
		const turns = [...ways.entries()];
		// Who comes first changes, so that neither is favoured.
		for (const [index, way] of round % 2 === 0 ? turns : turns.reverse()) {
			runs[index]?.push(await runCreates(way, { ...around, service }));
		}
	}
	await service.stop();
	const rows = ways.map(({ title }, index) => {
		const own = runs[index] ?? [];
		const rival = index % 2 === 0 ? runs[index + 1] : undefined;
		return [
			title,
			written(spreadOf(timesOf(own)), 0),
			rival === undefined ? '' : written(ratios(timesOf(own), timesOf(rival))),
			medianOf(own, 'processor').toFixed(1),
			// What an earlier run has left in memory, a later one needs not take.
			spreadOf(own.map(({ memory }) => memory)).most.toFixed(0),
		];
	});
	const head = [
		`Service at ${delay} ms`,
		'Time, ms',
		'Against the next row',
		'Processor, s',
		'Memory at most, MiB more',
	];
	const raw = Object.fromEntries(ways.map(({ title }, index) => [title, runs[index]]));
	return { table: { head, rows } satisfies Table, raw };
}

/** What arrives when the service refuses more than 50 requests a second. */
async function underLimit(around: Around) {
	const service = await startCountingService({ delay: 0, limit: 50 });
	const goOn = { onError: 'continueRegularOutput' };
	const retry = { ...goOn, retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
	const ways = [
		...[5, 25, 50].map((concurrency) => ({ way: packageNode(concurrency), complete: true })),
		{ way: httpRequest('all at once', undefined, goOn), complete: false },
		{ way: httpRequest('all at once, Retry On Fail', undefined, retry), complete: false },
		{
			way: httpRequest('5 each 100 ms', { batchSize: 5, batchInterval: 100 }, goOn),
			complete: false,
		},
	];
	const raw: Record<string, Run> = {};
	for (const { way, complete } of ways) {
		raw[way.title] = await runCreates(way, { ...around, service, complete });
	}
	await service.stop();
	const rows = Object.entries(raw).map(([title, { time, created, doubled, refused }]) => [
		title,
		`${((created / items) * 100).toFixed(1)} %`,
		String(doubled),
		String(refused),
		(time / 1000).toFixed(1),
	]);
	const head = ['50 requests a second', 'Arrived', 'Doubled', 'Refused on the way', 'Time, s'];
	return { table: { head, rows } satisfies Table, raw };
}

async function main(): Promise<number> {
	const { n8n, rest }: BenchN8n = await startBenchN8n();
	const around = { rest, pids: [n8n.pid], items };
	const ideal = await againstIdeal(around);
	const rivals: Array<Awaited<ReturnType<typeof againstHttpRequest>>> = [];
	for (const delay of delays) rivals.push(await againstHttpRequest(around, delay));
	const limit = await underLimit(around);
	await report({
		name: 'create',
		tables: [ideal.table, ...rivals.map(({ table }) => table), limit.table],
		raw: {
			ideal: ideal.raw,
			httpRequest: Object.fromEntries(delays.map((delay, index) => [delay, rivals[index]?.raw])),
			limit: limit.raw,
		},
	});
	return 0;
}

await runBench(main);
