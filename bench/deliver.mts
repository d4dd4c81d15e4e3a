// `npm run bench -- deliver`: genuine and forged deliveries to the package's trigger, against n8n's
// Webhook node that checks nothing and against what people build to check a signature with n8n's own
// nodes. Every flow goes on to one node that does nothing.
import { randomBytes } from 'node:crypto';
import type { N8nRest } from '../sandbox/n8n/rest.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { signed, withHeader } from '../test/support/delivery.mts';
import { quantile } from '../test/deployment/quantile.mts';
import { benchCredential } from './support/credential.mts';
import { openExecutions, type Executions } from './support/executions.mts';
import { keyHeader, lastNode, publishFlows, verifyTitle, type Flow } from './support/flows.mts';
import { startBenchN8n } from './support/n8n.mts';
import { report, type Table } from './support/report.mts';
import { runBench } from './support/runBench.mts';
import { sendAll } from './support/sender.mts';
import { ratios, spreadOf, written } from './support/statistics.mts';

const rounds = 5;

interface Run {
	/** Deliveries a second, until the last execution has ended. */
	rate: number;
	/** Milliseconds until the answer, one for each. */
	times: number[];
}

/** n8n's settings that decide about its share of the time. */
interface Setting {
	title: string;
	env: Record<string, string>;
	/** Deliveries of one run: enough for a run to take seconds. */
	amount: number;
	/** Those of a run in which they are refused, which takes n8n less time. */
	refused: number;
}

const settings: Setting[] = [
	{ title: "n8n's default", env: {}, amount: 80, refused: 160 },
	{
		title: 'lazy acquire',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		amount: 160,
		refused: 2_000,
	},
];

interface Case {
	title: string;
	forged: boolean;
	connections: number;
}

const cases: Case[] = [
	{ title: 'genuine, 1 connection', forged: false, connections: 1 },
	{ title: 'genuine, 10 connections', forged: false, connections: 10 },
	{ title: 'forged, 10 connections', forged: true, connections: 10 },
];

/** Sends one batch; it counts only when n8n did what the flow promises. */
async function measure(
	executions: Executions,
	flow: Flow,
	{ forged, connections }: Case,
	secret: string,
	amount: number,
): Promise<Run> {
	const before = executions.count(flow.workflowId);
	const used = forged ? 'forged' : secret;
	const make = () => withHeader(signed({ secret: used }), keyHeader, used);
	const { url, workflowId, title, refusal } = flow;
	const isRefused = forged && refusal !== undefined;
	const status = isRefused ? refusal : 200;
	const expected = before + (isRefused ? 0 : amount);
	const sending = sendAll({ url, make, amount, connections }).then((answers) => {
		const found = JSON.stringify([...answers.statuses]);
		if (answers.statuses.get(status) === amount) return answers;
		throw new Failure(`${title} answered ${found}, not ${status} each`);
	});
	const ending = isRefused ? 0 : executions.succeeded(workflowId, expected);
	const [{ start, end: answered, times }, last] = await Promise.all([sending, ending]);
	if (executions.count(workflowId) !== expected) {
		throw new Failure(`${title} started executions for forged deliveries`);
	}
	const end = Math.max(answered, last);
	return { rate: (amount / (end - start)) * 1000, times };
}

/** Fails unless a genuine delivery gets to the last node of a flow that checks, and no forged one. */
async function assertJudges(rest: N8nRest, executions: Executions, flow: Flow, secret: string) {
	for (const forged of [false, true]) {
		await measure(executions, flow, { title: '', forged, connections: 1 }, secret, 1);
		if (forged && flow.refusal !== undefined) continue;
		const [newest] = await rest.listExecutions(flow.workflowId);
		const { data } = await rest.getExecution(newest?.id ?? '');
		const isThrough = data.resultData.runData[lastNode] !== undefined;
		if (isThrough === (forged && flow.checks)) {
			throw new Failure(`${flow.title} took a ${forged ? 'forged' : 'genuine'} delivery wrongly`);
		}
	}
}

function tableOf(title: string, flows: Flow[], runs: Map<Flow, Run[]>): Table {
	const ratesOf = (name: string) =>
		[...runs].flatMap(([flow, list]) => (flow.title === name ? list : [])).map(({ rate }) => rate);
	return {
		head: [title, 'Deliveries a second', 'Trigger against it', 'Verify against it'].concat([
			'p50, ms',
			'p95, ms',
			'p99, ms',
		]),
		rows: flows.map((flow) => {
			const list = runs.get(flow) ?? [];
			const times = list.flatMap((run) => run.times);
			const [own, beside] = [ratesOf(flow.title), ratesOf(flow.beside)];
			return [
				flow.title,
				written(spreadOf(own), 1),
				flow.title === flow.beside ? '' : written(ratios(beside, own)),
				flow.title === verifyTitle ? '' : written(ratios(ratesOf(verifyTitle), own)),
				...[0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(0)),
			];
		}),
	};
}

/** All cases in one n8n, the flows taking turns. */
async function measureAll({ title, env, amount, refused }: Setting) {
	const { n8n, rest, userFolder } = await startBenchN8n({
		// The Code node may use Node's crypto only when n8n's owner allows it.
		NODE_FUNCTION_ALLOW_BUILTIN: 'crypto',
		...env,
	});
	const secret = randomBytes(24).toString('hex');
	const credential = await benchCredential(rest, { webhookSecret: secret });
	const flows = await publishFlows(rest, n8n.url, credential, secret);
	const executions = openExecutions(userFolder);
	const warmUp = { title: 'warm-up', forged: false, connections: 10 };
	for (const flow of flows) {
		await measure(executions, flow, warmUp, secret, amount);
		await assertJudges(rest, executions, flow, secret);
	}

	const tables: Table[] = [];
	const raw: Record<string, Record<string, number[]>> = {};
	const before = flows.map(({ workflowId }) => executions.count(workflowId));
	let started = flows.map(() => 0);
	for (const one of cases) {
		const runs = new Map<Flow, Run[]>(flows.map((flow): [Flow, Run[]] => [flow, []]));
		const isRefused = ({ refusal }: Flow) => one.forged && refusal !== undefined;
		for (let round = 0; round < rounds; round += 1) {
			// Who comes after whom changes, so that none is favoured.
			for (const flow of round % 2 === 0 ? flows : flows.toReversed()) {
				const size = isRefused(flow) ? refused : amount;
				runs.get(flow)?.push(await measure(executions, flow, one, secret, size));
			}
		}
		started = started.map((sum, index) =>
			isRefused(flows[index] as Flow) ? sum : sum + rounds * amount,
		);
		tables.push(tableOf(`${title}: ${one.title}`, flows, runs));
		const rates = (list: Run[]) => list.map(({ rate }) => rate);
		raw[one.title] = Object.fromEntries([...runs].map(([flow, list]) => [flow.title, rates(list)]));
	}
	// What would start late, for a forged delivery, has started when n8n has ended.
	await n8n.stop();
	for (const [index, { title: name, workflowId }] of flows.entries()) {
		const found = executions.count(workflowId) - (before[index] ?? 0);
		if (found === started[index]) continue;
		throw new Failure(`${name} started ${found} executions in place of ${started[index]}`);
	}
	return { tables, raw: [title, raw] as const };
}

async function main(): Promise<number> {
	const measured = [];
	for (const setting of settings) measured.push(await measureAll(setting));
	const tables = measured.flatMap((one) => one.tables);
	const raw = Object.fromEntries(measured.map((one) => one.raw));
	await report({ name: 'deliver', tables, raw });
	return 0;
}

await runBench(main);
