import assert from 'node:assert/strict';
import pMap from 'p-map';
import { triggerUrl } from '../../../sandbox/n8n/examples.mts';
import { publish } from '../../../sandbox/n8n/publish.mts';
import type { Execution } from '../../../sandbox/n8n/types.mts';
import type { Row } from '../../support/tables.mts';
import { textOf, underWay } from '../../../sandbox/testing/executions.mts';
import {
	deliver,
	isSuccess,
	isSwallowed,
	notification,
	type Attempt,
	type Sent,
} from '../../../sandbox/testing/sender.mts';
import { chain, setNode, triggerNode } from '../../support/workflows.mts';
import { strikeAmid, type Setup, type Crash, type ChooseVictim } from '../support/setup.mts';

const atOnce = 10;
/** Milliseconds within which a notification must get a 2xx, however slow the machine is. */
const within = 400_000;
/** Accepts late retries: refusing old deliveries is not the subject here. */
const anyAge = { maximumAge: 0 };

/** Which deliveries n8n has stored, by their IDs. */
function storedDeliveries(executions: Execution[]): Map<string, Execution> {
	const known = /"deliveryId":"([0-9a-f-]{36})"/;
	const found = executions.map((execution) => {
		const id = known.exec(textOf(execution))?.[1];
		assert.ok(id, `execution ${execution.id} (${execution.status}) does not hold its delivery`);
		return [id, execution] as const;
	});
	const byId = new Map(found);
	expect(byId.size).toBe(executions.length);
	return byId;
}

/** n8n's queue gave up on an execution that a dead worker had begun, and replaced its data. */
const isGivenUp = (execution: Execution) =>
	textOf(execution).includes('failed to be processed too many times');

/** The only n8n, which had seen the first, died before the second was sent. */
const isAcross = (crash: Crash, before: Attempt, after: Attempt) =>
	crash.supervisor.started.includes('n8n') &&
	before.startedAt <= crash.at &&
	after.startedAt >= crash.at;

/**
 * What became of a burst: nothing may be lost. A notification may have started more than one
 * execution only where the earlier ones were stored without a response, and at most one for each
 * memory of seen deliveries: every process that takes webhooks has one and loses it when it dies.
 */
function judge(sent: Sent[], executions: Execution[], crash: Crash, memories: number): Row {
	const givenUp = executions.filter(isGivenUp).length;
	const stored = storedDeliveries(executions.filter((execution) => !isGivenUp(execution)));
	const figures = { 'swallowed by a starting n8n': 0, lost: 0, doubled: 0, 'started again': 0 };
	for (const { attempts, isDelivered } of sent) {
		const started = attempts.filter(({ deliveryId }) => stored.has(deliveryId));
		const { answer = '', deliveryId = '' } = attempts.at(-1) ?? {};
		const isPromised = answer.includes('accepted') && !stored.has(deliveryId);
		if (isSwallowed(answer) && started.length === 0) figures['swallowed by a starting n8n'] += 1;
		else if (!isDelivered || started.length === 0 || isPromised) figures.lost += 1;
		for (const [index, extra] of started.slice(1).entries()) {
			const before = started[index] ?? extra;
			const isForgotten = memories === 1 ? isAcross(crash, before, extra) : index + 1 < memories;
			if (isForgotten && !isSuccess(before)) figures['started again'] += 1;
			else figures.doubled += 1;
		}
	}
	// Each of these executions belongs to one of the deliveries that could not be found.
	figures.lost = Math.max(0, figures.lost - givenUp);
	const succeeded = ({ deliveryId }: Attempt) => stored.get(deliveryId)?.status === 'success';
	const ranTwice = sent.filter((one) => one.attempts.filter(succeeded).length > 1);
	const count = (status: string) => executions.filter((one) => one.status === status).length;
	// A webhook process may die after it stored an execution and before it queued it, which leaves it
	// as new for ever. The sender got no response and repeats the notification.
	const ended = executions.filter(({ status }) => !underWay.includes(status)).length;
	const attempts = sent.flatMap((one) => one.attempts);
	return {
		sent: sent.length,
		'not answered 2xx': attempts.length - sent.filter((one) => one.isDelivered).length,
		...figures,
		'of these to the end twice': ranTwice.length,
		success: count('success'),
		crashed: count('crashed'),
		'given up by the queue': givenUp,
		'other ends': ended - count('success') - count('crashed') - givenUp,
	};
}

/** Counts each life of every process that takes webhooks; isAcross covers a restart of the only n8n. */
function memoriesOf({ deployment }: Setup, { supervisor }: Crash): number {
	if (deployment.mode === 'regular') return 1;
	const takesWebhooks = (name: string) => name.startsWith('webhook');
	const processes = deployment.members.filter(({ name }) => takesWebhooks(name)).length;
	return processes + supervisor.started.filter(takesWebhooks).length;
}

/** A burst of signed notifications to the trigger, in the middle of which a process dies. */
export async function burst(setup: Setup, chooseVictim: ChooseVictim, size: number): Promise<Row> {
	const { deployment, credential, secret } = setup;
	const { rest, url } = deployment;
	const trigger = triggerNode(credential, {
		options: { include: ['collectionRequest'], ...anyAge },
	});
	const nodes = [trigger, setNode('Next', 'seen', '={{ $json.requestId }}')];
	const workflow = await publish(rest, await rest.createWorkflow(chain('Crashes: burst', nodes)));

	const send = (onAttempt: () => void) =>
		deliver(notification(secret, 'crashes'), { url: triggerUrl(url, workflow), within, onAttempt });
	const work = (onPost: () => void) =>
		pMap(Array.from({ length: size }), () => send(onPost), { concurrency: atOnce });
	const posts = { workflowId: workflow.id, size };
	const { crash, result, executions, end } = await strikeAmid(setup, chooseVictim, posts, work);
	return { ...judge(result, executions, crash, memoriesOf(setup, crash)), ...end };
}
