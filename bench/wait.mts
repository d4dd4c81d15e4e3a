// `npm run bench -- wait`: how long Wait takes for many input items that name 50 completed collection
// requests, in a real n8n. It reads these in any case, so 100 items are what others are held against.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../sandbox/shared/failure.mts';
import { startBenchN8n, type BenchN8n } from './support/n8n.mts';
import { actionNode, chain, node } from './support/nodes.mts';
import { amount, runBench, type Report } from './support/report.mts';
import { spreadOf, written } from './support/statistics.mts';

const requests = 50;
const sizes = [100, 5_000, 20_000];
const rounds = amount(5, 1);
const startName = 'Start';
const waitName = 'Wait';

/** What Request ID holds, and the JavaScript that numbers an item's collection request. */
interface Case {
	title: string;
	requestId: string;
	numberOf: (size: number) => string;
}

const field = '={{ $json.requestId }}';
const inTurns = () => `i % ${requests}`;
const cases: Case[] = [
	{ title: 'the field, in turns', requestId: field, numberOf: inTurns },
	{
		title: 'the field, one after the other',
		requestId: field,
		numberOf: (size) => `Math.floor(i / ${size / requests})`,
	},
	{
		title: 'another expression',
		requestId: '={{ $json.requestId.trim() }}',
		numberOf: inTurns,
	},
];

/** A service whose collection requests are all completed. */
async function startService() {
	const server = createServer(({ url = '' }, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ _id: url.split('/').at(-1), shareStatus: 'completed' }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Milliseconds that the node takes, as n8n measures it. */
async function measure(n8n: BenchN8n, url: string, { requestId, numberOf }: Case, size: number) {
	const { rest, executions, credential } = n8n;
	const jsCode = `return Array.from({ length: ${size} }, (_, i) => ({ json: { requestId: 'r' + (${numberOf(size)}) } }));`;
	const parameters = { operation: 'wait', which: 'requestId', requestId, waitFor: 'completed' };
	const { id } = await rest.createWorkflow(
		chain('bench', [
			node(startName, 'manualTrigger', 1),
			node('Items', 'code', 2, { jsCode }),
			actionNode(waitName, await credential(url), parameters),
		]),
	);
	const executionId = await rest.runManually(id, startName);
	await executions.succeeded(id, 1);
	const { data } = await rest.getExecution(executionId);
	const [task] = data.resultData.runData[waitName] ?? [];
	const done = task?.data?.main?.[0] ?? [];
	if (done.length !== requests) throw new Failure(`${done.length} items came out of Done`);
	return Number(task?.executionTime);
}

const medianOf = (times: number[] = []) => spreadOf(times).median;

async function main(): Promise<Report> {
	const n8n = await startBenchN8n();
	const { url, server } = await startService();
	const raw: Record<string, Record<string, number[]>> = {};
	for (const one of cases) {
		const times: Record<string, number[]> = {};
		for (const size of sizes) {
			const own: number[] = [];
			for (let round = 0; round < rounds; round += 1) {
				own.push(await measure(n8n, url, one, size));
			}
			times[size] = own;
		}
		raw[one.title] = times;
	}
	await new Promise((resolve) => server.close(resolve));
	const table = Object.entries(raw).flatMap(([title, times]) =>
		Object.entries(times).map(([size, own]) => ({
			'Request ID': title,
			'Input items': size,
			'Time, ms': written(spreadOf(own), 0),
		})),
	);
	const promised = cases
		.filter(({ requestId }) => requestId === field)
		.map(({ title }) => ({
			what: `5,000 input items beside 100, ${title}, ms`,
			value: medianOf(raw[title]?.[5_000]) - medianOf(raw[title]?.[100]),
			atMost: 200,
		}));
	return { tables: [table], raw, promised };
}

await runBench('wait', 'two minutes', main);
