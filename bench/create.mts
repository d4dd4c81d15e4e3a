// `npm run bench -- create`: 1,000 creates in a real n8n, compared with the ideal, compared with
// n8n's HTTP Request node, and against a service that allows 50 requests a second.
import { start } from './support/deployment.mts';
import { startCountingService } from './support/countingService.mts';
import {
	httpRequest,
	packageNode,
	runCreates,
	type Creates,
	type Run,
} from './support/creates.mts';
import { report } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';
import type { Row } from '../sandbox/shared/tables.mts';

const items = amount(1_000, 50);
const rounds = amount(3, 1);
const delays = [0, 20, 100];

type Around = Pick<Creates, 'deployment' | 'items'>;

const timesOf = (runs: Run[]) => runs.map(({ time }) => time);

/** How close the package comes to the ideal: items / concurrency x the service's response time. */
async function againstIdeal(around: Around) {
	const delay = 100;
	const service = await startCountingService({ delay });
	const raw: Record<string, Run[]> = {};
	const rows: Row[] = [];
	for (const concurrency of [1, 5, 25]) {
		const runs: Run[] = [];
		for (let round = 0; round < rounds; round += 1) {
			runs.push(await runCreates(packageNode(concurrency), { ...around, service }));
		}
		const ideal = (items / concurrency) * delay;
		raw[concurrency] = runs;
		rows.push({
			'At once': concurrency,
			'Ideal, ms': ideal.toLocaleString('en'),
			'Package, ms': written(spreadOf(timesOf(runs)), 0),
			Ratio: written(spreadOf(timesOf(runs).map((time) => time / ideal))),
		});
	}
	await service.stop();
	return { rows, raw };
}

const pace = (batchSize: number, batchInterval: number) =>
	httpRequest(`${batchSize} each ${batchInterval} ms`, { batchSize, batchInterval });

/** The package and HTTP Request compared, in turns. */
async function againstHttpRequest(around: Around, delay: number) {
	const service = await startCountingService({ delay });
	// Without a delay there is no pace for the batches to keep.
	const pairs = delay === 0 ? [] : [5, 25].map((size) => [packageNode(size), pace(size, delay)]);
	const ways = [...pairs.flat(), packageNode(50), httpRequest('all at once')];
	const runs = ways.map((): Run[] => []);
	for (let round = 0; round < rounds; round += 1) {
		const turns = [...ways.entries()];
		// The order alternates, so that neither is favoured.
		for (const [index, way] of round % 2 === 0 ? turns : turns.reverse()) {
			runs[index]?.push(await runCreates(way, { ...around, service }));
		}
	}
	await service.stop();
	const rows = ways.map(({ title }, index): Row => {
		const own = runs[index] ?? [];
		const rival = index % 2 === 0 ? runs[index + 1] : undefined;
		return {
			[`Service at ${delay} ms`]: title,
			'Time, ms': written(spreadOf(timesOf(own)), 0),
			'Against the next row':
				rival === undefined ? '' : written(ratios(timesOf(own), timesOf(rival))),
			'Processor, s': spreadOf(own.map(({ processor }) => processor)).median.toFixed(1),
			// The maximum, since a later run can reuse memory that an earlier one has left.
			'Memory at most, MiB more': spreadOf(own.map(({ memory }) => memory)).most.toFixed(0),
		};
	});
	const raw = Object.fromEntries(ways.map(({ title }, index) => [title, runs[index]]));
	return { rows, raw };
}

/** What arrives if the service refuses more than 50 requests a second. */
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
	const rows = Object.entries(raw).map(
		([title, { time, created, doubled, refused }]): Row => ({
			'50 requests a second': title,
			Arrived: `${((created / items) * 100).toFixed(1)} %`,
			Doubled: doubled,
			'Refused on the way': refused,
			'Time, s': (time / 1000).toFixed(1),
		}),
	);
	return { rows, raw };
}

async function main(): Promise<number> {
	const around: Around = { deployment: await start('regular'), items };
	const ideal = await againstIdeal(around);
	const rivals: Array<Awaited<ReturnType<typeof againstHttpRequest>>> = [];
	for (const delay of delays) rivals.push(await againstHttpRequest(around, delay));
	const limit = await underLimit(around);
	await report({
		name: 'create',
		tables: [ideal.rows, ...rivals.map(({ rows }) => rows), limit.rows],
		raw: {
			ideal: ideal.raw,
			httpRequest: Object.fromEntries(delays.map((delay, index) => [delay, rivals[index]?.raw])),
			limit: limit.raw,
		},
	});
	return 0;
}

await runBench(main);
