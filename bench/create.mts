// `npm run bench -- create`: 1,000 creates in a real n8n, compared with the ideal, compared with
// n8n's HTTP Request node, and against a service that allows 50 requests a second.
import { startCountingService } from './support/countingService.mts';
import { httpRequest, packageNode, runCreates } from './support/creates.mts';
import type { Creates, Run } from './support/creates.mts';
import { startBenchN8n } from './support/n8n.mts';
import { amount, runBench, type Report, type Row } from './support/report.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';

const items = amount(1_000, 50);
const rounds = amount(3, 1);
/** Milliseconds that the service takes, beside HTTP Request. */
const delays = [20, 100].slice(0, amount(2, 1));
const idealDelay = 100;

type Around = Pick<Creates, 'n8n' | 'items'>;

const timesOf = (runs: Run[] = []) => runs.map(({ time }) => time);

/** Milliseconds in the ideal case: items / concurrency x the service's response time. */
const idealFor = (concurrency: number) => (items / concurrency) * idealDelay;

/** How close the package comes to the ideal. */
async function againstIdeal(around: Around) {
	const service = await startCountingService({ delay: idealDelay });
	const raw: Record<string, Run[]> = {};
	for (const concurrency of [1, 5, 25]) {
		const runs: Run[] = [];
		for (let round = 0; round < rounds; round += 1) {
			runs.push(await runCreates(packageNode(concurrency), { ...around, service }));
		}
		raw[concurrency] = runs;
	}
	await service.stop();
	return raw;
}

const idealRatio = (concurrency: string, runs: Run[]) =>
	spreadOf(timesOf(runs).map((time) => time / idealFor(Number(concurrency))));

const idealRows = (raw: Record<string, Run[]>): Row[] =>
	Object.entries(raw).map(([concurrency, runs]) => ({
		'At once': concurrency,
		'Ideal, ms': idealFor(Number(concurrency)).toLocaleString('en'),
		'Package, ms': written(spreadOf(timesOf(runs)), 0),
		Ratio: written(idealRatio(concurrency, runs)),
	}));

const pace = (batchSize: number, batchInterval: number) =>
	httpRequest(`${batchSize} each ${batchInterval} ms`, { batchSize, batchInterval });

/** The package, each time followed by HTTP Request, in turns. */
async function againstHttpRequest(around: Around, delay: number) {
	const service = await startCountingService({ delay });
	const pairs = [5, 25].flatMap((size) => [packageNode(size), pace(size, delay)]);
	const ways = [...pairs, packageNode(50), httpRequest('all at once')];
	const raw = Object.fromEntries(ways.map(({ title }) => [title, [] as Run[]]));
	for (let round = 0; round < rounds; round += 1) {
		// The order alternates, so that neither is favoured.
		for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
			raw[way.title]?.push(await runCreates(way, { ...around, service }));
		}
	}
	await service.stop();
	return raw;
}

const rivalRows = (delay: number, raw: Record<string, Run[]>): Row[] =>
	Object.entries(raw).map(([title, runs], index, all) => {
		const rival = index % 2 === 0 ? all[index + 1]?.[1] : undefined;
		return {
			[`Service at ${delay} ms`]: title,
			'Time, ms': written(spreadOf(timesOf(runs)), 0),
			'Against the next row': rival ? written(ratios(timesOf(runs), timesOf(rival))) : '',
		};
	});

/** What arrives if the service refuses more than 50 requests a second. */
async function underLimit(around: Around) {
	const service = await startCountingService({ delay: 0, limit: 50 });
	const goOn = { onError: 'continueRegularOutput' };
	const retry = { ...goOn, retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
	const ways = [
		...[5, 25, 50].map((concurrency) => ({ way: packageNode(concurrency), complete: true })),
		...[
			httpRequest('all at once', undefined, goOn),
			httpRequest('all at once, Retry On Fail', undefined, retry),
			httpRequest('5 each 100 ms', { batchSize: 5, batchInterval: 100 }, goOn),
		].map((way) => ({ way, complete: false })),
	];
	const raw: Record<string, Run> = {};
	for (const { way, complete } of ways) {
		raw[way.title] = await runCreates(way, { ...around, service, complete });
	}
	await service.stop();
	return raw;
}

const limitRows = (raw: Record<string, Run>): Row[] =>
	Object.entries(raw).map(([title, { time, created, doubled, refused }]) => ({
		'50 requests a second': title,
		Arrived: `${((created / items) * 100).toFixed(1)} %`,
		Doubled: doubled,
		'Refused on the way': refused,
		'Time, s': (time / 1000).toFixed(1),
	}));

async function main(): Promise<Report> {
	const around: Around = { n8n: await startBenchN8n(), items };
	const ideal = await againstIdeal(around);
	const rivals: Record<string, Record<string, Run[]>> = {};
	for (const delay of delays) rivals[delay] = await againstHttpRequest(around, delay);
	const limit = await underLimit(around);
	const rivalTables = delays.map((delay) => rivalRows(delay, rivals[delay] ?? {}));
	// With more at once, the processor decides, so there the package is compared with HTTP Request.
	const promised = [1, 5].map((concurrency) => ({
		what: `${concurrency} at once, against the ideal`,
		value: idealRatio(String(concurrency), ideal[concurrency] ?? []).median,
		atMost: 1.15,
	}));
	for (const [delay, raw] of Object.entries(rivals)) {
		const [, , own = [], rival = []] = Object.values(raw);
		promised.push({
			what: `25 at once, service at ${delay} ms, against HTTP Request`,
			value: ratios(timesOf(own), timesOf(rival)).median,
			atMost: 1,
		});
	}
	return {
		tables: [idealRows(ideal), ...rivalTables, limitRows(limit)],
		raw: { ideal, httpRequest: rivals, limit },
		promised,
	};
}

await runBench('create', '15 minutes', main);
