import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { quantile } from '../deployment/quantile.mts';
import { deliveryTimeout } from '../deployment/sender.mts';
import { assertAnswer } from '../support/answers.mts';
import { signed, type Delivery } from '../support/delivery.mts';
import { countExecutions } from '../support/executions.mts';
import { send } from '../support/send.mts';
import { startSoleTrigger, variablesIn, type SoleTrigger } from '../support/soleTrigger.mts';
import { chain, webhookNode } from '../support/workflows.mts';

// Usage: node test/latency/run.mts [NAME=value ...]: with these variables for n8n.
// W82: how long n8n takes to answer deliveries, one after the other and in bursts. The same for
// n8n's own Webhook node, which verifies nothing, tells what is n8n's and the machine's share.

const secret = 'latency-secret-of-the-measurement';
const singles = 200;
const warmUp = 20;
const bursts = { sizes: [10, 25, 50], repetitions: 5 };
/** Milliseconds that we aim at for single ones. */
const target = 250;

interface Figures {
	what: string;
	deliveries: number;
	median: number;
	p95: number;
	slowest: number;
	/** Later than the service waits. */
	late: number;
}

type Sending = (delivery: Delivery) => Promise<number>;

/** Sends to an address; answers the milliseconds until the answer was there. */
function sender(url: string, outcome?: Parameters<typeof assertAnswer>[1]): Sending {
	return async (delivery) => {
		const started = performance.now();
		const answer = await send(url, delivery);
		const time = performance.now() - started;
		if (outcome !== undefined) assertAnswer(answer, outcome);
		else if (answer.status !== 200) throw new Failure(`n8n answered ${answer.status}`);
		return time;
	};
}

function figuresOf(what: string, times: number[]): Figures {
	const at = (share: number) => Math.round(quantile(times, share));
	const late = times.filter((time) => time > deliveryTimeout).length;
	return { what, deliveries: times.length, median: at(0.5), p95: at(0.95), slowest: at(1), late };
}

async function oneByOne(what: string, sending: Sending, make: () => Delivery): Promise<Figures> {
	for (let count = 0; count < warmUp; count += 1) await sending(make());
	const times: number[] = [];
	for (let count = 0; count < singles; count += 1) times.push(await sending(make()));
	return figuresOf(what, times);
}

async function inBursts(size: number, sending: Sending, make: () => Delivery): Promise<Figures> {
	const times: number[] = [];
	for (let count = 0; count < bursts.repetitions; count += 1) {
		const deliveries = Array.from({ length: size }, make);
		times.push(...(await Promise.all(deliveries.map(sending))));
	}
	return figuresOf(`Accepted, ${size} at once`, times);
}

/** The address of a published workflow that starts with n8n's own Webhook node. */
async function ownWebhook({ rest, n8n }: SoleTrigger): Promise<string> {
	const node = webhookNode();
	await publish(rest, await rest.createWorkflow(chain('Webhook', [node])));
	return `${n8n.url}/webhook/${String(node.parameters.path)}`;
}

function markdown(all: Figures[]): string {
	const head = [
		'What',
		'Deliveries',
		'Median (ms)',
		'95 % within (ms)',
		'Slowest (ms)',
		'Over 5 s',
	];
	const line = ['---', ...head.slice(1).map(() => '---:')];
	const rows = all.map(({ what, ...figures }) => [what, ...Object.values(figures)]);
	return [head, line, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

async function main(): Promise<number> {
	const variables = variablesIn(process.argv.slice(2));
	const trigger = await startSoleTrigger('.latency', { secret, previous: [] }, variables);
	const good = () => signed({ secret });
	const forged = () => signed({ secret: 'another secret' });
	const accepted = sender(trigger.url, 'accepted');
	const plain = await oneByOne("n8n's own Webhook node", sender(await ownWebhook(trigger)), good);
	const single = await oneByOne('Accepted, one by one', accepted, good);
	const refused = await oneByOne('Refused, one by one', sender(trigger.url, 'unverified'), forged);
	const all = [plain, single, refused];
	for (const size of bursts.sizes) all.push(await inBursts(size, accepted, good));

	const [started, sent] = [
		await countExecutions(trigger.rest, trigger.workflowId),
		warmUp + singles + bursts.repetitions * bursts.sizes.reduce((sum, size) => sum + size, 0),
	];
	if (started !== sent)
		throw new Failure(`${sent} were accepted, but n8n has ${started} executions.`);
	const folder = path.join(root, 'test', 'artefacts');
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		path.join(folder, 'latency.json'),
		`${JSON.stringify({ variables, all }, null, '\t')}\n`,
	);
	const burst = all.find(({ what }) => what.includes(' 25 '));
	const verdict = (isMet: boolean) => (isMet ? 'met' : 'not met on this machine at this time');
	console.log(`\n${markdown(all)}\n`);
	console.log(`95 % of single deliveries within ${target} ms: ${verdict(single.p95 < target)}`);
	console.log(`Each of 25 at once within 5 s: ${verdict(burst?.late === 0)}`);
	return 0;
}

await runCommand(main, 130);
