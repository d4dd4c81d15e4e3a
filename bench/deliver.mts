// `npm run bench -- deliver`: genuine and forged deliveries to the package's trigger, compared with
// n8n's Webhook node, which checks nothing, and with what people build from n8n's own nodes to
// check a signature. Every flow ends with one node that does nothing.
import { randomBytes } from 'node:crypto';
import type { N8nRest } from '../sandbox/n8n/rest.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { signed } from './support/delivery.mts';
import { start } from './support/deployment.mts';
import { openDatabase, type Database } from './support/executions.mts';

import { keyHeader, lastNode, publishFlows, verifyTitle, type Flow } from './support/flows.mts';
import { report } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { sendAll } from './support/sendAll.mts';
import { quantile, ratios, spreadOf, written } from './support/statistics.mts';
import type { Row } from '../sandbox/shared/tables.mts';
import { benchCredential } from './support/target.mts';

const rounds = amount(5, 1);

interface Run {
	/** Deliveries a second, until the last execution has ended. */
	rate: number;
	/** Milliseconds until the response, one for each. */
	times: number[];
}

/** The n8n settings that determine its share of the time. */
interface Setting {
	title: string;
	env: Record<string, string>;
	/** Deliveries per run: enough for a run to take seconds. */
	accepted: number;
	/** Deliveries per run if they are refused, which takes n8n less time. */
	refused: number;
}

const settings: Setting[] = [
	{ title: "n8n's default", env: {}, accepted: amount(80, 10), refused: amount(160, 20) },
	{
		title: 'lazy acquire',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		accepted: amount(160, 20),
		refused: amount(2_000, 100),
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

/** Sends one batch; it counts only if n8n did what the flow promises. */
async function measure(
	executions: Database,
	flow: Flow,
	{ forged, connections }: Case,
	secret: string,
	size: number,
): Promise<Run> {
	const before = executions.count(flow.workflowId);
	const used = forged ? 'forged' : secret;
	const make = () => {
		const { headers, body } = signed(used);
		return { headers: [...headers, [keyHeader, used] as [string, string]], body };
	};
	const { url, workflowId, title, refusal } = flow;
	const isRefused = forged && refusal !== undefined;
	const status = isRefused ? refusal : 200;
	const expected = before + (isRefused ? 0 : size);
	const sending = sendAll({ url, make, amount: size, connections }).then((responses) => {
		const found = JSON.stringify([...responses.statuses]);
		if (responses.statuses.get(status) === size) return responses;
		throw new Failure(`${title} responded with ${found}, not ${status} each`);
	});
	const ending = isRefused ? 0 : executions.succeeded(workflowId, expected);
	const [{ start: sent, end: responded, times }, last] = await Promise.all([sending, ending]);
	if (executions.count(workflowId) !== expected) {
		throw new Failure(`${title} started executions for forged deliveries`);
	}
	const end = Math.max(responded, last);
	return { rate: (size / (end - sent)) * 1000, times };
}

/** Fails unless genuine deliveries, and only those, reach the last node of a flow that checks. */
async function assertJudges(rest: N8nRest, executions: Database, flow: Flow, secret: string) {
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

function rowsOf(title: string, runs: Map<Flow, Run[]>): Row[] {
	const ratesOf = (name: string) =>
		[...runs].flatMap(([flow, list]) => (flow.title === name ? list : [])).map(({ rate }) => rate);
	return [...runs].map(([flow, list]) => {
		const times = list.flatMap((run) => run.times);
		const [own, beside] = [ratesOf(flow.title), ratesOf(flow.beside)];
		const at = (share: number) => quantile(times, share).toFixed(0);
		return {
			[title]: flow.title,
			'Deliveries a second': written(spreadOf(own), 1),
			'Trigger against it': flow.title === flow.beside ? '' : written(ratios(beside, own)),
			'Verify against it':
				flow.title === verifyTitle ? '' : written(ratios(ratesOf(verifyTitle), own)),
			...{ 'p50, ms': at(0.5), 'p95, ms': at(0.95), 'p99, ms': at(0.99) },
		};
	});
}

/** All cases in one n8n; the flows take turns. */
async function measureAll({ title, env, accepted, refused }: Setting) {
	const deployment = await start('regular', {
		// The Code node may use Node's crypto only if n8n's owner allows it.
		env: { NODE_FUNCTION_ALLOW_BUILTIN: 'crypto', ...env },
	});
	const { rest } = deployment;
	const secret = randomBytes(24).toString('hex');
	const credential = await benchCredential(rest, { webhookSecret: secret });
	const flows = await publishFlows(deployment, credential, secret);
	const executions = openDatabase(deployment);
	const warmUp = { title: 'warm-up', forged: false, connections: 10 };
	for (const flow of flows) {
		await measure(executions, flow, warmUp, secret, accepted);
		await assertJudges(rest, executions, flow, secret);
	}

	const tables: Row[][] = [];
	const raw: Record<string, Record<string, number[]>> = {};
	const expected = flows.map(({ workflowId }) => executions.count(workflowId));
	for (const one of cases) {
		const runs = new Map<Flow, Run[]>(flows.map((flow): [Flow, Run[]] => [flow, []]));
		const isRefused = ({ refusal }: Flow) => one.forged && refusal !== undefined;
		for (let round = 0; round < rounds; round += 1) {
			// The order alternates, so that none is favoured.
			for (const flow of round % 2 === 0 ? flows : flows.toReversed()) {
				const size = isRefused(flow) ? refused : accepted;
				runs.get(flow)?.push(await measure(executions, flow, one, secret, size));
			}
		}
		for (const [index, flow] of flows.entries()) {
			if (!isRefused(flow)) expected[index] = (expected[index] ?? 0) + rounds * accepted;
		}
		tables.push(rowsOf(`${title}: ${one.title}`, runs));
		const rates = (list: Run[]) => list.map(({ rate }) => rate);
		raw[one.title] = Object.fromEntries([...runs].map(([flow, list]) => [flow.title, rates(list)]));
	}
	// Once n8n has stopped, no execution can still start late for a forged delivery.
	await deployment.stop();
	for (const [index, { title: name, workflowId }] of flows.entries()) {
		const found = executions.count(workflowId);
		if (found === expected[index]) continue;
		throw new Failure(`${name} has ${found} executions in place of ${expected[index]}`);
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
