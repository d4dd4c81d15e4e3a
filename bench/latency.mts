// `npm run bench -- latency [NAME=value ...]`: how long n8n, with these variables, takes to respond
// to deliveries, one by one and in bursts. The same for n8n's own Webhook node, which verifies
// nothing, shows the share of n8n and of the machine.
import path from 'node:path';
import { Failure } from '../sandbox/shared/failure.mts';
import { root } from '../sandbox/shared/paths.mts';
import { outcomeOf, type Outcome } from '../test/support/answers.mts';
import { signed, type Delivery } from '../test/support/delivery.mts';
import { send } from '../test/support/send.mts';
import { triggerNode, webhookNode } from '../test/support/workflows.mts';
import { countable, start, variablesIn } from './deployment/deployment.mts';
import { openDatabase } from './deployment/executions.mts';
import { deliveryTimeout } from './deployment/sender.mts';
import { show } from './support/report.mts';
import { amount, runBench } from './support/runBench.mts';
import { quantile } from './support/statistics.mts';
import { save } from './support/tables.mts';
import { benchCredential, publishTarget } from './support/target.mts';

const secret = 'latency-secret-of-the-measurement';
const singles = amount(200, 20);
const warmUp = amount(20, 5);
const sizes = [10, 25, 50];
const repetitions = amount(5, 1);
/** Our target in milliseconds for single deliveries. */
const aim = 250;

/** Sends a delivery; resolves to the milliseconds until the response. */
type Sending = (delivery: Delivery) => Promise<number>;

/** Sends to an address; checks for the response expected from our trigger, or else for any 200. */
const sender =
	(url: string, expected?: Outcome): Sending =>
	async (delivery) => {
		const started = performance.now();
		const response = await send(url, delivery);
		const time = performance.now() - started;
		const isExpected =
			expected === undefined ? response.status === 200 : outcomeOf(response) === expected;
		if (isExpected) return time;
		throw new Failure(`n8n responded with ${response.status} ${response.text}`);
	};

function figuresOf(what: string, times: number[]) {
	return {
		What: what,
		Deliveries: times.length,
		'Median, ms': Math.round(quantile(times, 0.5)),
		'95 % within, ms': Math.round(quantile(times, 0.95)),
		'Slowest, ms': Math.round(quantile(times, 1)),
		// Longer than the service waits.
		'Over 5 s': times.filter((time) => time > deliveryTimeout).length,
	};
}

async function oneByOne(what: string, sending: Sending, make: () => Delivery) {
	for (let count = 0; count < warmUp; count += 1) await sending(make());
	const times: number[] = [];
	for (let count = 0; count < singles; count += 1) times.push(await sending(make()));
	return figuresOf(what, times);
}

async function inBursts(size: number, sending: Sending, make: () => Delivery) {
	const times: number[] = [];
	for (let count = 0; count < repetitions; count += 1) {
		const deliveries = Array.from({ length: size }, make);
		times.push(...(await Promise.all(deliveries.map(sending))));
	}
	return figuresOf(`Accepted, ${size} at once`, times);
}

async function main(): Promise<number> {
	const variables = variablesIn(process.argv.slice(2).filter((word) => word !== '--trial'));
	const deployment = await start('regular', { env: { ...countable, ...variables } });
	const credential = await benchCredential(deployment.rest, { webhookSecret: secret });
	const trigger = await publishTarget(deployment, 'Trigger', [triggerNode(credential)]);
	const webhook = await publishTarget(deployment, 'Webhook', [webhookNode()]);
	const good = () => signed({ secret });
	const forged = () => signed({ secret: 'another secret' });
	const accepted = sender(trigger.url, 'accepted');
	const plain = await oneByOne("n8n's own Webhook node", sender(webhook.url), good);
	const single = await oneByOne('Accepted, one by one', accepted, good);
	const refused = await oneByOne('Refused, one by one', sender(trigger.url, 'unverified'), forged);
	const bursts = [];
	for (const size of sizes) bursts.push(await inBursts(size, accepted, good));

	const started = openDatabase(deployment).count(trigger.workflowId);
	const sent = warmUp + singles + repetitions * sizes.reduce((sum, size) => sum + size, 0);
	if (started !== sent) {
		throw new Failure(`${sent} were accepted, but n8n has ${started} executions.`);
	}
	const all = [plain, single, refused, ...bursts];
	await save(path.join(root, '.bench', 'latency.json'), { variables, all });
	await show([all]);
	const verdict = (isMet: boolean) => (isMet ? 'met' : 'not met on this machine at this time');
	console.log(
		`95 % of single deliveries within ${aim} ms: ${verdict(single['95 % within, ms'] < aim)}`,
	);
	console.log(`Each of 25 at once within 5 s: ${verdict(bursts[1]?.['Over 5 s'] === 0)}`);
	return 0;
}

await runBench(main);
