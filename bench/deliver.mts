// `npm run bench -- deliver`: genuine and forged notifications to the package's trigger, compared
// with n8n's Webhook node, which checks nothing, and with what people build from n8n's own nodes to
// check a signature. Every flow ends with one node that does nothing.
import { randomBytes } from 'node:crypto';
import { Failure } from '../sandbox/shared/failure.mts';
import { lastNode, publishFlows, titles, type Flow } from './support/flows.mts';
import { startBenchN8n, type BenchN8n } from './support/n8n.mts';
import { amount, runBench, type Report, type Row } from './support/report.mts';
import { sendAll } from './support/sendAll.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';

const rounds = amount(5, 1);

/** The n8n settings that determine its share of the time. */
interface Setting {
	title: string;
	env: Record<string, string>;
	/** Notifications per run: enough for a run to take seconds. */
	accepted: number;
	/** The same if they are refused, which takes n8n less time. */
	refused: number;
}

const allSettings: Setting[] = [
	{ title: "n8n's default", env: {}, accepted: amount(80, 10), refused: amount(160, 10) },
	{
		title: 'lazy acquire',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		accepted: amount(160, 10),
		refused: amount(2_000, 10),
	},
];

/** A trial needs one n8n only. */
const settings = allSettings.slice(-amount(2, 1));

const cases = [
	{ title: 'genuine, 1 connection', forged: false, connections: 1 },
	{ title: 'genuine, 10 connections', forged: false, connections: 10 },
	{ title: 'forged, 10 connections', forged: true, connections: 10 },
];
type Case = (typeof cases)[number];

/** Notifications a second by flow, one figure for each run. */
type Rates = Record<string, number[]>;

/** The bench's n8n, its flows, and the secret of the genuine notifications. */
interface Around {
	n8n: BenchN8n;
	flows: Flow[];
	secret: string;
}

const isRefused = ({ forged }: Case, { refusal }: Flow) => forged && refusal !== undefined;

/** Sends one batch; resolves to its rate until the last execution has ended. */
async function measure({ n8n, secret }: Around, flow: Flow, one: Case, size: number) {
	const { url, workflowId, refusal = 200 } = flow;
	const isOver = isRefused(one, flow);
	const expected = n8n.executions.count(workflowId) + (isOver ? 0 : size);
	const sending = { url, amount: size, connections: one.connections };
	const [{ start, end }, last] = await Promise.all([
		sendAll({ ...sending, secret: one.forged ? 'forged' : secret, status: isOver ? refusal : 200 }),
		isOver ? 0 : n8n.executions.succeeded(workflowId, expected),
	]);
	if (n8n.executions.count(workflowId) !== expected) {
		throw new Failure(`${flow.title} started executions for forged notifications`);
	}
	return (size / (Math.max(end, last) - start)) * 1000;
}

/** Fails unless genuine notifications, and only those, reach the last node of a flow that checks. */
async function assertJudges(around: Around, flow: Flow): Promise<void> {
	const { rest } = around.n8n;
	for (const forged of [false, true]) {
		const one = { title: '', forged, connections: 1 };
		await measure(around, flow, one, 1);
		if (isRefused(one, flow)) continue;
		const [newest] = await rest.listExecutions(flow.workflowId);
		const { data } = await rest.getExecution(newest?.id ?? '');
		const isThrough = data.resultData.runData[lastNode] !== undefined;
		if (isThrough === (forged && flow.checks)) {
			throw new Failure(`${flow.title} took a ${forged ? 'forged' : 'genuine'} one wrongly`);
		}
	}
}

/** One case in every flow, in turns. */
async function measureCase(around: Around, one: Case, { accepted, refused }: Setting) {
	const { flows } = around;
	const rates: Rates = Object.fromEntries(flows.map(({ title }) => [title, []]));
	for (let round = 0; round < rounds; round += 1) {
		// The order alternates, so that none is favoured.
		for (const flow of round % 2 === 0 ? flows : flows.toReversed()) {
			const size = isRefused(one, flow) ? refused : accepted;
			rates[flow.title]?.push(await measure(around, flow, one, size));
		}
	}
	return rates;
}

/** All cases in one n8n. */
async function measureAll(setting: Setting): Promise<Record<string, Rates>> {
	// The Code node may use Node's crypto only if n8n's owner allows it.
	const n8n = await startBenchN8n({ NODE_FUNCTION_ALLOW_BUILTIN: 'crypto', ...setting.env });
	const secret = randomBytes(24).toString('hex');
	const around = { n8n, secret, flows: await publishFlows(n8n, secret) };
	for (const flow of around.flows) {
		const warmUp = { title: '', forged: false, connections: 10 };
		await measure(around, flow, warmUp, setting.accepted);
		await assertJudges(around, flow);
	}
	const rates: Record<string, Rates> = {};
	for (const one of cases) rates[one.title] = await measureCase(around, one, setting);
	// Once n8n has stopped, no execution can still start late for a forged notification.
	const counts = () => around.flows.map(({ workflowId }) => n8n.executions.count(workflowId));
	const before = counts();
	await n8n.stop();
	if (counts().join() !== before.join()) throw new Failure('Executions have started late.');
	return rates;
}

const against = (rates: Rates | undefined, title: string) =>
	ratios(rates?.[titles.trigger] ?? [], rates?.[title] ?? []);

const tableOf = (heading: string, rates: Rates): Row[] =>
	Object.entries(rates).map(([title, own]) => ({
		[heading]: title,
		'A second': written(spreadOf(own), 1),
		'Trigger against it': title === titles.trigger ? '' : written(against(rates, title)),
	}));

async function main(): Promise<Report> {
	const raw: Record<string, Record<string, Rates>> = {};
	for (const setting of settings) raw[setting.title] = await measureAll(setting);
	const tables = Object.entries(raw).flatMap(([setting, ofCases]) =>
		Object.entries(ofCases).map(([title, rates]) => tableOf(`${setting}: ${title}`, rates)),
	);
	const { 'genuine, 10 connections': genuine, 'forged, 10 connections': forged } =
		raw['lazy acquire'] ?? {};
	const promised = [
		{
			what: 'Genuine, against the unchecked Webhook',
			value: against(genuine, titles.unchecked).median,
			atLeast: 0.8,
		},
		{ what: 'Forged, against Code', value: against(forged, titles.code).median, atLeast: 5 },
	];
	return { tables, raw, promised };
}

await runBench('deliver', '10 minutes', main);
