// `npm run bench -- create`: 1,000 creates in a real n8n, against the ideal and n8n's HTTP Request node.
import { httpRequest, packageNode, runCreates, type Way } from './support/creates.mts';
import { startBenchN8n } from './support/n8n.mts';
import { amount, runBench, type Report } from './support/report.mts';
import { startService } from './support/service.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';

const items = amount(1_000, 50);
const rounds = amount(3, 1);
/** Milliseconds that the service takes for each create. */
const delay = 100;

/** What is measured in turns: the package, and HTTP Request with batches of the same size. */
const cases = [5, 25].map((concurrency) => ({
	concurrency,
	/** Milliseconds of the service alone. */
	ideal: (items / concurrency) * delay,
	package: [] as number[],
	httpRequest: [] as number[],
}));

async function main(): Promise<Report> {
	const n8n = await startBenchN8n();
	const service = await startService(delay);
	const run = async (way: Way) => await runCreates(n8n, way, service, items);
	for (let round = 0; round < rounds; round += 1) {
		for (const one of cases) {
			one.package.push(await run(packageNode(one.concurrency)));
			one.httpRequest.push(await run(httpRequest(one.concurrency, delay)));
		}
	}
	await service.stop();
	const measured = cases.map((one) => ({
		...one,
		againstIdeal: spreadOf(one.package.map((time) => time / one.ideal)),
		againstHttpRequest: ratios(one.package, one.httpRequest),
	}));
	const table = measured.map((one) => ({
		'At once': one.concurrency,
		'Ideal, ms': one.ideal.toLocaleString('en'),
		'Package, ms': written(spreadOf(one.package), 0),
		'HTTP Request, ms': written(spreadOf(one.httpRequest), 0),
		'Against the ideal': written(one.againstIdeal),
		'Against HTTP Request': written(one.againstHttpRequest),
	}));
	// With 25 at once, the processor decides, so there the package is held against HTTP Request.
	const promised = measured.map(({ concurrency, againstIdeal, againstHttpRequest }) =>
		concurrency === 5
			? { what: '5 at once, against the ideal', value: againstIdeal.median, atMost: 1.15 }
			: { what: '25 at once, against HTTP Request', value: againstHttpRequest.median, atMost: 1 },
	);
	return { tables: [table], raw: cases, promised };
}

await runBench('create', 'five minutes', main);
