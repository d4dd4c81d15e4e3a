// `npm run bench -- profile`: what n8n's main thread does for one delivery to the package's trigger
// and to the Webhook node, which checks nothing; both with lazy acquire, to show what remains.
import { randomBytes } from 'node:crypto';
import { Failure } from '../sandbox/shared/failure.mts';
import { freePorts } from '../sandbox/shared/ports.mts';
import { signed } from '../test/support/delivery.mts';
import { start } from './deployment/deployment.mts';
import { openDatabase } from './deployment/executions.mts';
import { sendAll } from './deployment/sender.mts';
import { publishFlows, type Flow } from './support/flows.mts';
import { connectProfiler, timeByArea, type Area } from './support/profiler.mts';
import { report } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { spreadOf, written } from './support/statistics.mts';
import type { Row } from './support/tables.mts';
import { benchCredential } from './support/target.mts';

const rounds = amount(5, 1);
const deliveries = amount(300, 50);

/** Matches paths from the first node_modules on: the name of the checkout must not match. */
const inFile = (title: string, pattern: RegExp): Area => ({
	title,
	matches: ({ url }) => pattern.test(/node_modules\/.*/.exec(url)?.[0] ?? url),
});
const named = (title: string, name: string): Area => ({
	title,
	matches: ({ functionName }) => functionName === name,
});

const own = "The package's own code";

const areas: Area[] = [
	inFile(own, /^node_modules\/n8n-nodes-data-collection\//),
	inFile('n8n: expressions', /\/expression(-[\w-]+)?\.js|\/expression-runtime\/|isolated-vm/),
	inFile(
		'n8n: the credential (may it be used, decrypting)',
		/credential|cipher|encryption|external-secrets/i,
	),
	inFile(
		'n8n: database (the credential, the workflow, the execution)',
		/typeorm|sqlite|@n8n\/db\//,
	),
	inFile(
		'n8n: the execution',
		/workflow-execut|workflow-runner|active-executions|execution-lifecycle|\/executions\/|flatted/,
	),
	inFile(
		'n8n: the request and its answer',
		/\/dist\/(webhooks|middlewares)\/|node_modules\/(express|router|body-parser|raw-body|compression|helmet|cookie-parser)\/|^node:_?(http|net|stream)/,
	),
	named('Garbage collection', '(garbage collector)'),
	named('Native code and the system', '(program)'),
	{ title: 'Everything else', matches: () => true },
];

/** Fails unless the rows show the package's code in its own flow and only there. */
function assertTold(ours: number[][], unchecked: number[][]) {
	const index = areas.findIndex(({ title }) => title === own);
	const told = (list: number[][]) => list.map((times) => times[index] ?? 0);
	if (told(ours).some((time) => time === 0) || told(unchecked).some((time) => time > 0)) {
		throw new Failure("The package's code was not found where it runs, or found elsewhere.");
	}
}

async function main(): Promise<number> {
	const [inspectPort = 0] = await freePorts(1);
	const deployment = await start('regular', {
		env: {
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
			NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
		},
	});
	const secret = randomBytes(24).toString('hex');
	const credential = await benchCredential(deployment.rest, { webhookSecret: secret });
	const [ours, unchecked] = await publishFlows(deployment, credential, secret);
	if (!ours || !unchecked) throw new Failure('There are no flows to compare.');
	const executions = openDatabase(deployment);
	const profiler = await connectProfiler(inspectPort);

	const sendTo = async ({ url, workflowId, title }: Flow) => {
		const expected = executions.count(workflowId) + deliveries;
		const make = () => signed({ secret });
		const { statuses } = await sendAll({ url, make, amount: deliveries, connections: 1 });
		if (statuses.get(200) !== deliveries) throw new Failure(`${title} refused genuine deliveries`);
		await executions.succeeded(workflowId, expected);
	};
	const runs = new Map<Flow, number[][]>([
		[ours, []],
		[unchecked, []],
	]);
	for (const flow of runs.keys()) await sendTo(flow);
	for (let round = 0; round < rounds; round += 1) {
		for (const [flow, list] of runs) {
			const profile = await profiler.during(async () => await sendTo(flow));
			list.push(timeByArea(profile, areas).map((time) => time / deliveries));
		}
	}
	profiler.close();
	await deployment.stop();
	assertTold(runs.get(ours) ?? [], runs.get(unchecked) ?? []);

	const column = (flow: Flow, pick: (times: number[]) => number) =>
		spreadOf((runs.get(flow) ?? []).map(pick));
	const row = (title: string, pick: (times: number[]) => number): Row => {
		const [mine, other] = [column(ours, pick), column(unchecked, pick)];
		return {
			'ms for one delivery': title,
			[ours.title]: written(mine),
			[unchecked.title]: written(other),
			More: (mine.median - other.median).toFixed(2),
		};
	};
	const rows = [
		...areas.map(({ title }, index) => row(title, (times) => times[index] ?? 0)),
		row('Together', (times) => times.reduce((sum, time) => sum + time, 0)),
	];
	const raw = Object.fromEntries([...runs].map(([{ title }, list]) => [title, list]));
	const titles = areas.map(({ title }) => title);
	await report({ name: 'profile', tables: [rows], raw: { areas: titles, ...raw } });
	return 0;
}

await runBench(main);
