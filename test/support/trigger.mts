import { readFileSync, statSync } from 'node:fs';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish, settled } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Credential } from '../../sandbox/n8n/types.mts';
import type { Execution, Json, Workflow, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { createCredential, forbid, newSecret } from './credential.mts';
import { payload, sign, signed, valueOf, type Delivery, type Signing } from './delivery.mts';
import { environment, isBefore, n8nUrl, rest } from './environment.mts';
import { countExecutions, newestExecution } from './executions.mts';
import { send } from './send.mts';
import { chain, triggerNode, triggerName } from './workflows.mts';

/** A published workflow with our trigger; counts the executions that it should have. */
export type Trigger = ReturnType<typeof follow>;

interface TriggerOptions {
	name: string;
	secret?: string;
	previousSecrets?: string[];
	parameters?: Json;
	/** Nodes that run after the trigger. */
	then?: WorkflowNode[];
}

/** Creates and publishes a workflow that starts with our trigger. */
export async function createTrigger(options: TriggerOptions): Promise<Trigger> {
	const { name, secret = newSecret(), previousSecrets = [] } = options;
	const credential = await createCredential(name, {
		webhookSecret: secret,
		previousWebhookSecrets: previousSecrets.join('\n'),
	});
	const nodes = [triggerNode(credential, options.parameters), ...(options.then ?? [])];
	const workflow = await publish(rest, await rest.createWorkflow(chain(name, nodes)));
	return follow(workflow, credential, secret);
}

/** Takes a workflow off and waits until its webhook is gone. */
export async function unpublish(workflow: Workflow): Promise<void> {
	await rest.deactivate(workflow.id);
	expect((await settled(rest, workflow)).status).toBe('not_published');
}

/** Returns a function that waits until n8n has logged a text after this moment. */
export function logFromNow(): (text: string) => Promise<void> {
	const begins = environment.logs.map((file) => statSync(file).size);
	const since = () =>
		environment.logs.map((file, index) => readFileSync(file).subarray(begins[index]).toString());
	return async (text) => {
		await until(`n8n logs "${text}"`, () => since().some((log) => log.includes(text)));
	};
}

/** A trigger that is already published. */
export function follow(workflow: Workflow, credential: Credential, secret: string) {
	/** Production URL. */
	const url = triggerUrl(n8nUrl, workflow);
	let accepted = 0;

	/** Fails unless n8n has stored exactly as many executions as were accepted, plus `more`. */
	const assertCount = async (more = 0): Promise<void> => {
		accepted += more;
		const stored = async () => (await countExecutions(workflow.id)) >= accepted;
		// Older versions of n8n may respond before they have stored the execution.
		if (!(await stored()) && (await isBefore(2, 11))) await until('n8n has stored it', stored);
		expect(await countExecutions(workflow.id)).toBe(accepted);
	};
	/** A signed delivery; by default of a new notification, timed now. */
	const good = (body?: Signing['body']) => signed({ secret, body });
	/** Sends a delivery; it must be accepted and start exactly one execution, which is returned. */
	const runs = async (delivery: Delivery): Promise<Execution> => {
		expect(await send(url, delivery)).toBe('200 accepted');
		// The response is a promise that the execution is stored by now.
		await assertCount(1);
		return await newestExecution(workflow.id);
	};
	/** The same, but returns the only item that the trigger emitted. */
	const accepts = async (delivery: Delivery): Promise<Json> => {
		const [item = {}, ...more] = outputOf(await runs(delivery), triggerName);
		expect(more).toEqual([]);
		return item;
	};
	/**
	 * Sends a delivery; it must get this response, such as `401 unverified`, and start nothing. n8n must log `logs`, and a
	 * good delivery must then pass.
	 */
	const refuses = async (delivery: Delivery, response: string, logs = ''): Promise<void> => {
		forbid(sign(secret, valueOf(delivery, 'X-SVC-Timestamp'), delivery.body));
		const logged = logFromNow();
		expect(await send(url, delivery)).toBe(response);
		await logged(logs);
		await assertCount();
		const next = payload();
		expect((await accepts(good(next))).requestId).toBe(next.requestId);
	};
	return { workflow, credential, secret, url, good, runs, accepts, refuses, assertCount };
}
