import assert from 'node:assert/strict';
import { triggerUrl } from '../../../sandbox/n8n/examples.mts';
import type { Execution } from '../../../sandbox/n8n/types.mts';
import { createCounter, mapSome } from '../../deployment/counter.mts';
import type { Row } from '../../deployment/figures.mts';
import { textOf } from '../../deployment/reader.mts';
import { deliver, notification, type Attempt, type Sent } from '../../deployment/sender.mts';
import { publish } from '../../e2e/support/publish.mts';
import { chain, setNode, triggerNode } from '../../e2e/support/workflows.mts';
import type { Bench } from '../support/bench.mts';
import { strike, type Crash, type Fault } from '../support/fault.mts';

const atOnce = 10;
/** In less than Maximum Age, after which the same bytes are refused. */
const within = 240_000;
/** n8n takes a minute to notice that a worker is gone. */
const settleWithin = 120_000;
/** How many POSTs must meet the outage before it ends. */
const metOutage = 5;

/** Which deliveries n8n has stored, by their IDs. */
function storedDeliveries(executions: Execution[]): Map<string, Execution> {
	const known = /"deliveryId":"([0-9a-f-]{36})"/;
	const found = executions.map((execution) => {
		const id = known.exec(textOf(execution))?.[1];
		assert.ok(id, `execution ${execution.id} (${execution.status}) does not hold its delivery`);
		return [id, execution] as const;
	});
	const byId = new Map(found);
	assert.equal(byId.size, executions.length, 'one execution for each delivery');
	return byId;
}

const wasUnderWay = ({ startedAt, took }: Attempt, { at }: Crash) =>
	startedAt <= at + 1000 && startedAt + took >= at;

/**
 * What became of a burst: nothing may be lost. A notification may have started two executions only
 * where the first was stored without an answer: the crash took the answer and, in one process, the
 * memory of it; several webhook processes have a memory each.
 */
function judge(sent: Sent[], executions: Execution[], crash: Crash, isSeveral: boolean): Row {
	const stored = storedDeliveries(executions);
	let lost = 0;
	let doubled = 0;
	let overCrash = 0;
	for (const { attempts, isDelivered } of sent) {
		const started = attempts.filter(({ deliveryId }) => stored.has(deliveryId));
		const last = attempts.at(-1);
		const isAccepted = last?.answer.includes('accepted') === true;
		if (!isDelivered || started.length === 0) lost += 1;
		else if (isAccepted && !stored.has(last.deliveryId)) lost += 1;
		for (const extra of started.slice(0, -1)) {
			if (wasUnderWay(extra, crash) || isSeveral) overCrash += 1;
			else doubled += 1;
		}
	}
	const count = (status: string) => executions.filter((one) => one.status === status).length;
	const attempts = sent.flatMap((one) => one.attempts);
	return {
		sent: sent.length,
		POSTs: attempts.length,
		'not answered 2xx': attempts.length - sent.filter((one) => one.isDelivered).length,
		lost,
		doubled,
		'stored unanswered, started again': overCrash,
		success: count('success'),
		crashed: count('crashed'),
		'other ends': executions.length - count('success') - count('crashed'),
	};
}

/** A burst of signed notifications to the trigger, in the middle of which a process dies. */
export async function burst(bench: Bench, fault: Fault, size: number): Promise<Row> {
	const { deployment, reader, credential, secret } = bench;
	const { rest, url } = deployment;
	const trigger = triggerNode(credential, { options: { include: ['collectionRequest'] } });
	const nodes = [trigger, setNode('Next', 'seen', '={{ $json.requestId }}')];
	const workflow = await publish(rest, await rest.createWorkflow(chain('Faults: burst', nodes)));

	const ended = createCounter();
	const options = { url: triggerUrl(url, workflow), within, onAttempt: ended.add };
	const list = Array.from({ length: size }, () => notification(secret, 'faults'));
	const sending = mapSome(list, atOnce, (one) => deliver(one, options));
	await ended.reach(size / 3);
	const crash = await strike(bench, fault);
	await ended.reach(ended.value + metOutage);
	const sent = await crash.supervisor.during(sending);
	const underWay = await crash.supervisor.during(reader.settle(workflow.id, settleWithin));

	const executions = await reader.all(workflow.id);
	const row = judge(sent, executions, crash, deployment.mode === 'queue');
	await rest.deactivate(workflow.id);
	return { ...row, 'left under way': underWay, restarted: crash.supervisor.started.join(', ') };
}
