import assert from 'node:assert/strict';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import { outputOf, type Credential } from '../../sandbox/n8n/types.mts';
import type { Execution, Json, Workflow, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { assertAnswer, outcomeOf, type Outcome } from './answers.mts';
import { createCredential, newSecret } from './credential.mts';
import { sign, signed, valueOf, type Delivery } from './delivery.mts';
import { n8nUrl } from './environment.mts';
import { countExecutions, newestExecutions } from './executions.mts';
import { forbid } from './leaks.mts';
import { logEnd, waitForLog } from './n8nLog.mts';
import { assertOwnAnswer, logOf, type OwnOutcome } from './n8nAnswers.mts';
import { NoAnswer, send, type Answer } from './send.mts';
import { until } from './until.mts';
import { chain, triggerNode, triggerName } from './workflows.mts';

/** Milliseconds for which a trigger may know a credential as it was, and a second for a busy machine. */
const remembered = 3_000;

export type Sender = (url: string, delivery: Delivery) => Promise<Answer>;

interface Refusal {
	/** What n8n's log has to say about it. */
	logs?: string;
	/** How it is sent, when not as usual. */
	by?: Sender;
}

/** A published workflow with our trigger; counts every execution that it should have. */
export interface Trigger {
	workflow: Workflow;
	credential: Credential;
	secret: string;
	/** Production URL. */
	url: string;
	/** A new, well-formed, signed delivery. */
	good(): Delivery;
	/** Sends; it must be accepted and start exactly one execution, which is answered. */
	runs(delivery: Delivery, by?: Sender): Promise<Execution>;
	/** The same; answers the one item that the trigger emitted. */
	accepts(delivery: Delivery, by?: Sender): Promise<Json>;
	/** Sends; it must get the constant answer and start nothing, and a good one must pass after. */
	refuses(delivery: Delivery, outcome: Outcome, refusal?: Refusal): Promise<void>;
	/** The same for an answer that n8n gives by itself, with what its log then says; its text. */
	rejects(delivery: Delivery, outcome: OwnOutcome, by?: Sender): Promise<string>;
	/**
	 * After a change of the credential: sends new deliveries until one gets the answer `to`, which a
	 * trigger that has just read the credential owes after 2 s; those before it get `from`.
	 */
	turns(from: Outcome, to: Outcome, make?: () => Delivery): Promise<void>;
	/** Fails unless n8n has stored exactly as many executions as were accepted, plus `more`. */
	assertCount(more?: number): Promise<void>;
}

export interface TriggerOptions {
	rest: N8nRest;
	/** Where that n8n is; the one that all files share unless given. */
	at?: string;
	name: string;
	secret?: string;
	previousSecrets?: string[];
	parameters?: Json;
	settings?: Json;
	/** Nodes that run after the trigger. */
	then?: WorkflowNode[];
}

/** Creates and publishes a workflow that starts with our trigger. */
export async function createTrigger(options: TriggerOptions): Promise<Trigger> {
	const { rest, name, secret = newSecret(), previousSecrets = [], then = [] } = options;
	const credential = await createCredential(rest, name, {
		webhookSecret: secret,
		previousWebhookSecrets: previousSecrets.join('\n'),
	});
	const nodes = [triggerNode(credential, options.parameters), ...then];
	const created = await rest.createWorkflow(chain(name, nodes, options.settings));
	const workflow = await publish(rest, created);
	return follow(rest, workflow, credential, secret, options.at);
}

/** A trigger that is published already. */
export function follow(
	rest: N8nRest,
	workflow: Workflow,
	credential: Credential,
	secret: string,
	at = n8nUrl,
): Trigger {
	const url = triggerUrl(at, workflow);
	let accepted = 0;

	const assertCount = async (more = 0) => {
		accepted += more;
		assert.equal(await countExecutions(rest, workflow.id), accepted, 'number of executions');
	};
	const good = () => signed({ secret });
	const runs = async (delivery: Delivery, by: Sender = send) => {
		assertAnswer(await by(url, delivery), 'accepted');
		// The answer is a promise: the execution is stored by now.
		await assertCount(1);
		const [execution] = await newestExecutions(rest, workflow.id, 1);
		assert.ok(execution);
		assert.equal(execution.status, 'success');
		return execution;
	};
	const accepts = async (delivery: Delivery, by: Sender = send) => {
		const items = outputOf(await runs(delivery, by), triggerName);
		assert.equal(items.length, 1);
		return items[0] ?? {};
	};
	const assertUnharmed = async () => {
		await assertCount();
		const next = good();
		const item = await accepts(next);
		assert.equal(item.requestId, (JSON.parse(next.body.toString()) as Json).requestId);
	};
	const turns = async (from: Outcome, to: Outcome, make = good) => {
		const started = Date.now();
		await until(`"${to}" in place of "${from}"`, async () => {
			const late = Date.now() - started > remembered;
			const answer = await send(url, make());
			const outcome = !late && outcomeOf(answer) === from ? from : to;
			assertAnswer(answer, outcome);
			await assertCount(outcome === 'accepted' ? 1 : 0);
			return outcome === to ? true : undefined;
		});
	};
	return {
		...{ workflow, credential, secret, url, good, runs, accepts, assertCount, turns },
		async refuses(delivery, outcome, { logs, by = send } = {}) {
			forbid(sign(secret, valueOf(delivery, 'X-SVC-Timestamp'), delivery.body));
			const place = logEnd();
			assertAnswer(await by(url, delivery), outcome);
			if (logs !== undefined) await waitForLog(place, logs);
			await assertUnharmed();
		},
		async rejects(delivery, outcome, by = send) {
			forbid(sign(secret, valueOf(delivery, 'X-SVC-Timestamp'), delivery.body));
			const place = logEnd();
			const answer = await by(url, delivery).catch((error: unknown) => {
				// n8n closes while such a body is still being written: the reset can overtake its answer.
				if (error instanceof NoAnswer && outcome === 'beyondLimit') return undefined;
				throw error;
			});
			if (answer !== undefined) assertOwnAnswer(answer, outcome);
			const logs = logOf(outcome);
			if (logs !== undefined) await waitForLog(place, logs);
			await assertUnharmed();
			return answer?.text ?? '';
		},
	};
}
