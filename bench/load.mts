// `npm run bench -- load [regular|queue] [--minutes 30] [--rate 1] (a second, for each)
// [--bursts 10,50,200,1000] [--folder <for the raw figures>] [NAME=value ...]`: bursts and a steady
// load on our trigger, compared with n8n's own Webhook node in the same n8n, with these variables.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import type { WorkflowNode } from '../sandbox/n8n/types.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { stateFolder } from '../sandbox/shared/paths.mts';
import { triggerNode, webhookNode } from '../sandbox/n8n/workflows.mts';
import { countable, prepare, start, variablesIn, type Mode } from './support/deployment.mts';
import { createReader } from './support/executions.mts';
import { attempt, notification } from './support/sender.mts';
import { meter, watchMemory, type Sample } from './support/meter.mts';
import { show } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { slope } from './support/statistics.mts';
import { save, type Row } from '../sandbox/shared/tables.mts';
import { benchCredential, noOperation, publishTarget, type Target } from './support/target.mts';
import { judge, type Posted } from './support/verdict.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		minutes: { type: 'string', default: amount('30', '0.2') },
		rate: { type: 'string', default: '1' },
		bursts: { type: 'string', default: amount('10,50,200,1000', '10') },
		folder: { type: 'string', default: stateFolder('bench', 'load') },
		trial: { type: 'boolean' },
	},
});

/** Where deliveries go, and how to send one. */
interface Sender {
	/** Both respond once n8n has stored the execution, and then do nothing more. */
	targets: [ours: Target, plain: Target];
	/**
	 * Sends one signed notification as the service does, but without a retry, and waits longer than
	 * the service does, so that the full time is known.
	 */
	sendOne: (target: Target, phase: string) => Promise<Posted>;
	/** Waits until n8n has handled everything that it was sent. */
	settle: () => Promise<void>;
	/** Starts to measure n8n. */
	startMeter: () => ReturnType<typeof meter>;
}

/** Sends bursts of each size to both in turn, each after n8n has handled the one before. */
async function sendBursts({ targets, sendOne, settle, startMeter }: Sender, sizes: number[]) {
	const posted: Posted[] = [];
	/** The most MiB that n8n used, by phase and target. */
	const most = new Map<string, number>();
	for (const size of sizes) {
		// A single small burst says little.
		const times = Math.min(5, Math.max(1, Math.round(150 / size)));
		console.log(`  ${times} times ${size} at once`);
		for (let time = 0; time < times; time += 1) {
			// The order alternates, so that neither is favoured.
			for (const target of time % 2 === 0 ? targets : targets.toReversed()) {
				const phase = `burst of ${size}`;
				const used = startMeter();
				const sending = Array.from({ length: size }, () => sendOne(target, phase));
				posted.push(...(await Promise.all(sending)));
				await settle();
				const name = phase + target.title;
				most.set(name, Math.max(most.get(name) ?? 0, used().most));
			}
		}
	}
	return { posted, most };
}

/** With more deliveries than this under way, the machine counts as overloaded. */
const mostUnderWay = 2_000;

/**
 * Sends to both in turn at a fixed rate, without waiting for responses to earlier deliveries: a
 * real sender does not wait for a slow receiver either.
 */
async function sendSteadily({ targets, sendOne }: Sender, rate: number, minutes: number) {
	const posted: Posted[] = [];
	const sending: Array<Promise<void>> = [];
	const total = Math.round(2 * rate * minutes * 60);
	const started = Date.now();
	for (let sent = 0; sent < total; sent += 1) {
		const due = started + (sent * 1000) / (2 * rate);
		if (due > Date.now()) await sleep(due - Date.now());
		const target = targets[sent % 2 === 0 ? 0 : 1];
		sending.push(sendOne(target, 'steady').then((one) => void posted.push(one)));
		const underWay = sending.length - posted.length;
		if (underWay > mostUnderWay) {
			throw new Failure(
				`${underWay} deliveries have no response: ${rate} a second for each is too much here, choose fewer with --rate.`,
			);
		}
		if (sent % (2 * rate * 60) === 0 && sent > 0) console.log(`  ${sent} of ${total} sent`);
	}
	await Promise.all(sending);
	return posted;
}

/** Memory of each process after warming up: at the beginning, at the end, and its slope. */
function memoryRows(mode: Mode, samples: Sample[]): Row[] {
	const afterWarmUp = samples.slice(Math.floor(samples.length * 0.2));
	return Object.keys(samples[0]?.mb ?? {}).map((name) => {
		const points = afterWarmUp.flatMap(({ at, mb: { [name]: y } }) =>
			y === undefined ? [] : [{ x: at / 60, y }],
		);
		const all = samples.flatMap(({ mb }) => mb[name] ?? []);
		return {
			mode,
			process: name,
			'first MiB': Math.round(all[0] ?? 0),
			'after warm-up MiB': Math.round(points[0]?.y ?? 0),
			'last MiB': Math.round(points.at(-1)?.y ?? 0),
			'most MiB': Math.round(Math.max(0, ...all)),
			'MiB/min after warm-up': Number(slope(points).toFixed(2)),
			samples: all.length,
		};
	});
}

interface Load {
	/** Burst sizes. */
	bursts: number[];
	/** Duration of the steady load. */
	minutes: number;
	/** Deliveries a second for each of the two workflows. */
	rate: number;
	/** n8n's variables. */
	env: Record<string, string>;
}

/** Warms up n8n, sends the bursts and the steady load, and counts what n8n has stored. */
async function measure(mode: Mode, { bursts, minutes, rate, env }: Load) {
	const deployment = await start(mode, { env });
	const { rest, url, members } = deployment;
	const secret = `whsec-${randomBytes(24).toString('base64url')}`;
	const credential = await benchCredential(rest, { webhookSecret: secret });
	const publishOne = async (title: string, first: WorkflowNode) =>
		await publishTarget(deployment, title, [first, noOperation('No Operation')]);
	const targets: Sender['targets'] = [
		await publishOne('Data Collection Trigger', triggerNode(credential)),
		await publishOne('Webhook (n8n)', webhookNode()),
	];
	const reader = await createReader(rest, url);
	const sender: Sender = {
		targets,
		sendOne: async (target, phase) => {
			const sent = await attempt(target.url, notification(secret, 'load'), 120_000);
			return { ...sent, target: target.title, phase };
		},
		settle: async () => {
			for (const { workflowId } of targets) await reader.settle(workflowId, 600_000);
		},
		startMeter: () => meter(members),
	};

	const warmUp = Array.from({ length: 50 }, () => targets).flat();
	const early = await pMap(warmUp, async (target) => await sender.sendOne(target, 'warm-up'), {
		concurrency: 4,
	});
	await sender.settle();
	const { posted: burst, most } = await sendBursts(sender, bursts);
	console.log(`  ${minutes} minutes of ${rate} a second for each of the two`);
	const memory = watchMemory(members);
	const steady = await sendSteadily(sender, rate, minutes);
	const samples = memory.stop();
	await sender.settle();

	const posted = [...early, ...burst, ...steady];
	const verdict = await judge(mode, reader, targets, posted);
	await deployment.stop();
	const file = path.join(values.folder, `${mode}.json`);
	await save(file, { rate, minutes, ...verdict, samples, posted });
	const loads = verdict.rows.map((row) => ({
		...row,
		'most MiB': most.get(`${row.load}${row.node}`)?.toFixed(0) ?? '',
	}));
	return { loads, memory: memoryRows(mode, samples), unmatched: verdict.unmatched };
}

/** n8n may refuse deliveries in larger bursts: it cannot handle any number at once. */
const bearable = 200;

const isBearable = ({ load }: Row) =>
	Number(/^burst of (\d+)$/.exec(String(load))?.[1] ?? 0) <= bearable;

/** Why the run fails; slow responses are only figures, but lost deliveries are failures. */
function faultsOf(loads: Row[], unmatched: number): string[] {
	const sum = (rows: Row[], column: string) =>
		rows.reduce((total, row) => total + Number(row[column]), 0);
	const counted = [
		...['lost', 'doubled'].map((column) => [column, sum(loads, column)] as const),
		...['refused', 'no answer', 'failed in n8n'].map(
			(column) => [column, sum(loads.filter(isBearable), column)] as const,
		),
		['of no delivery', unmatched] as const,
	];
	return counted.filter(([, number]) => number > 0).map(([what, number]) => `${number} ${what}`);
}

function numberOf(name: string, text: string, most: number): number {
	const number = Number(text);
	if (number > 0 && number <= most) return number;
	throw new Failure(`--${name} is a number above 0, at most ${most}.`);
}

const isVariable = (word: string) => word.includes('=');

function chooseModes(): Mode[] {
	const given = positionals.find((word) => !isVariable(word));
	if (given === undefined) return ['regular', 'queue'];
	if (given === 'regular' || given === 'queue') return [given];
	throw new Failure(`"${given}" is no mode: regular or queue.`);
}

async function main(): Promise<number> {
	const given: Load = {
		minutes: numberOf('minutes', values.minutes, 600),
		rate: numberOf('rate', values.rate, 1_000),
		bursts: values.bursts.split(',').map((size) => numberOf('bursts', size, 5_000)),
		env: { ...countable, ...variablesIn(positionals.filter(isVariable)) },
	};
	const modes = chooseModes();
	await prepare(modes);
	const measured = [];
	for (const mode of modes) measured.push(await measure(mode, given));
	const loads = measured.flatMap((one) => one.loads);
	const memory = measured.flatMap((one) => one.memory);
	const unmatched = measured.reduce((sum, one) => sum + one.unmatched, 0);
	await save(path.join(values.folder, 'tables.json'), { env: given.env, loads, memory, unmatched });
	show([loads, memory]);
	const found = faultsOf(loads, unmatched);
	console.log(found.length === 0 ? 'Nothing lost, nothing doubled.' : found.join(', '));
	return found.length === 0 ? 0 : 1;
}

await runBench(main);
