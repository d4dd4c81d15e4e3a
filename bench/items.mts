// `npm run bench -- items`: how long the node takes for many input items, in a real n8n, and how long n8n
// then takes at most to respond to somebody else. Wait reads 50 completed collection requests, as it
// also does for 100 items; Create makes one collection request of all items, or one for each 25, or one
// for the only person of all items, and some with cells of 1 MB. n8n's own node No Operation shows what
// n8n itself takes to pass items on and to store them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../sandbox/n8n/types.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { startBenchN8n, type BenchN8n } from './support/n8n.mts';
import { actionNode, node } from './support/nodes.mts';
import { amount, runBench, type Report } from './support/report.mts';
import { runNode } from './support/runNode.mts';
import { startService } from './support/service.mts';
import { spreadOf, written } from './support/statistics.mts';

const sizes = [100, 5_000, 10_000, 20_000];
const rounds = amount(3, 1);

/** What the node does, the JavaScript of an input item's fields, and how many items come out. */
interface Case {
	title: string;
	/** Of our node; without them, No Operation is measured. */
	parameters?: Json;
	fields: (size: number) => string;
	outputs: (size: number) => number;
	sizes?: number[];
}

const wait = { operation: 'wait', which: 'requestId', waitFor: 'completed' };
const field = '={{ $json.requestId }}';
const inTurns = () => "requestId: 'r' + (i % 50)";
const waiting = { fields: inTurns, outputs: () => 50 };
const create = {
	operation: 'create',
	templateId: 't1',
	participantsMode: 'items',
	oneRequestFor: 'all',
	notify: 'none',
};
const people = {
	fields: () => "name: 'Person ' + i, email: i + '@example.com', group: i % (size / 25)",
	outputs: (size: number) => size,
};
const cases: Case[] = [
	{ title: 'No Operation', ...people },
	{ title: 'Wait, Request ID in turns', parameters: { ...wait, requestId: field }, ...waiting },
	{
		title: 'Wait, Request ID one after the other',
		parameters: { ...wait, requestId: field },
		fields: (size) => `requestId: 'r' + Math.floor(i / ${size / 50})`,
		outputs: () => 50,
	},
	{
		title: 'Wait, another expression',
		parameters: { ...wait, requestId: '={{ $json.requestId.trim() }}' },
		...waiting,
	},
	{ title: 'Create, From Input Items', parameters: create, ...people },
	{
		title: 'Create, From Input Items, groups of 25',
		parameters: { ...create, oneRequestFor: 'group', groupBy: '={{ $json.group }}' },
		...people,
	},
	{
		title: 'Create, From Input Items, one person in all',
		parameters: { ...create, oneRequestFor: 'person' },
		fields: () => "name: 'Person', email: 'person@example.com'",
		outputs: () => 1,
	},
	...['name', 'email', 'note'].map((field) => ({
		title: `Create, From Input Items, 1 MB in every fiftieth ${field}`,
		parameters: create,
		fields: () =>
			`name: 'Person ' + i, email: i + '@example.com', ...(i % 50 ? {} : { ${field}: 'x'.repeat(1e6) })`,
		outputs: (size: number) => size,
		sizes: [1_000],
	})),
];

/** Asks n8n over and over until it is stopped; says how many milliseconds the slowest response took. */
function askMeanwhile(url: string) {
	let isDone = false;
	const ask = async () => {
		let slowest = 0;
		while (!isDone) {
			const start = performance.now();
			await (await fetch(`${url}/healthz`)).text();
			slowest = Math.max(slowest, performance.now() - start);
			await sleep(5);
		}
		return slowest;
	};
	const asked = ask();
	return async () => {
		isDone = true;
		return await asked;
	};
}

/** Milliseconds that the node takes, as n8n measures it, and n8n's slowest response meanwhile. */
async function measure(n8n: BenchN8n, url: string, one: Case, size: number) {
	const measured = one.parameters
		? actionNode('Measured', await n8n.credential(url), one.parameters)
		: node('Measured', 'noOp', 1);
	const tolerant = { ...measured, onError: 'continueRegularOutput' };
	const stop = askMeanwhile(n8n.url);
	const { output, time } = await runNode(n8n, tolerant, size, one.fields(size));
	const slowest = await stop();
	if (output.length !== one.outputs(size)) throw new Failure(`${output.length} items came out`);
	return { time, slowest };
}

type Times = Array<Awaited<ReturnType<typeof measure>>>;

const medianOf = (times: Times = [], figure: keyof Times[number] = 'time') =>
	spreadOf(times.map((measured) => measured[figure])).median;

async function main(): Promise<Report> {
	const n8n = await startBenchN8n();
	const service = await startService(0);
	const raw: Record<string, Record<string, Times>> = {};
	for (const one of cases) {
		const bySize: Record<string, Times> = {};
		for (const size of one.sizes ?? sizes) {
			bySize[size] = [];
			for (let round = 0; round < rounds; round += 1) {
				bySize[size].push(await measure(n8n, service.url, one, size));
			}
		}
		raw[one.title] = bySize;
	}
	await service.stop();
	const table = Object.entries(raw).flatMap(([title, bySize]) =>
		Object.entries(bySize).map(([size, times]) => ({
			'': title,
			'Input items': size,
			'Time, ms': written(spreadOf(times.map(({ time }) => time)), 0),
			'Slowest response of n8n, ms': written(spreadOf(times.map(({ slowest }) => slowest)), 0),
		})),
	);
	const titles = cases.map(({ title }) => title);
	const [, inTurnsCase, inOrderCase] = titles;
	const creates = titles.slice(4, 7);
	const longCells = titles.slice(7);
	const beside100 = (title = '') => ({
		what: `${title}, 5,000 input items beside 100, ms`,
		value: medianOf(raw[title]?.[5_000]) - medianOf(raw[title]?.[100]),
		atMost: 200,
	});
	const linear = (title = '') => ({
		what: `${title}, 20,000 input items against 10,000`,
		value: medianOf(raw[title]?.[20_000]) / medianOf(raw[title]?.[10_000]),
		atMost: 2.5,
	});
	const time = (title: string, size: number, atMost: number) => ({
		what: `${title}, ${size} input items, ms`,
		value: medianOf(raw[title]?.[size]),
		atMost,
	});
	const slowest = (title: string, size: number) => medianOf(raw[title]?.[size], 'slowest');
	const beyondN8n = (title: string) => ({
		what: `${title}, 20,000 input items, slowest response of n8n beyond that with No Operation, ms`,
		value: slowest(title, 20_000) - slowest('No Operation', 20_000),
		atMost: 300,
	});
	const ofLongCells = (title: string) => ({
		what: `${title}, 1,000 input items, slowest response of n8n, ms`,
		value: slowest(title, 1_000),
		atMost: 300,
	});
	const promised = [
		beside100(inTurnsCase),
		beside100(inOrderCase),
		...creates.map(linear),
		...creates.map((title) => time(title, 20_000, 5_000)),
		...creates.map(beyondN8n),
		...longCells.map((title) => time(title, 1_000, 1_000)),
		...longCells.map(ofLongCells),
	];
	return { tables: [table], raw, promised };
}

await runBench('items', 'five minutes', main);
