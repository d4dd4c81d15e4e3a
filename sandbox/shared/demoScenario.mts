import path from 'node:path';
import { actionType, triggerType } from '../n8n/examples.mts';
import { exampleOf } from '../n8n/setup.mts';
import type { Execution } from '../n8n/types.mts';
import { executionSucceeded, firstExecutionOf } from './executions.mts';
import { expectEqual, expectNoSecret, nodeOf, onlyItem, textField } from './expectations.mts';
import { Failure, messageOf } from './failure.mts';
import { completedDelivery, submitAnswers } from './guests.mts';
import { serviceCredential } from './service.mts';
import type { Stack } from './stack.mts';

const startType = 'n8n-nodes-base.manualTrigger';

/** What one step leaves for the next. */
interface Run {
	stack: Stack;
	requestId: string;
	deliveryId: string;
	created?: Execution;
	triggered?: Execution;
}

/** Does one step and answers the lines to show; a Failure when it did not hold. */
type Step = (run: Run) => Promise<string[]>;

const pretty = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

const nodesLoaded: Step = async ({ stack: { rest, n8n, service, tarball } }) => {
	const types = (await rest.nodeTypes()).map(({ name }) => name);
	const missing = [actionType, triggerType].filter((type) => !types.includes(type));
	if (missing.length > 0) throw new Failure(`n8n has not loaded ${missing.join(', ')}.`);
	return [`n8n ${n8n.url}, service ${service.url}`, `Installed ${path.basename(tarball)}`];
};

const credentialsWork: Step = async ({ stack: { rest, workspace } }) => {
	const lines: string[] = [];
	const { dataCollection, smtp } = workspace.credentials;
	for (const credential of [dataCollection, smtp]) {
		const { status, message } = await rest.testCredential(credential);
		expectEqual(`the test of "${credential.name}" (${message}) to answer`, status, 'OK');
		lines.push(`n8n says of "${credential.name}": ${message}`);
	}
	return lines;
};

const create: Step = async (run) => {
	const { rest, workspace } = run.stack;
	const workflow = exampleOf(workspace, 'create-request');
	const id = await rest.runManually(workflow.id, nodeOf(workflow, startType));
	run.created = await executionSucceeded(rest, id);
	const item = onlyItem(run.created, workflow, actionType);
	run.requestId = textField(item, '_id');
	return [`Request ID  ${run.requestId}`, `Guest link  ${textField(item, 'guestLink')}`];
};

const submit: Step = ({ stack, requestId }) => submitAnswers(stack.service.url, requestId);

const deliver: Step = async (run) => {
	const delivery = await completedDelivery(run.stack.service.url, run.requestId);
	run.deliveryId = delivery.deliveryId;
	const answer = `n8n answered ${delivery.statusCode} ${delivery.answer}`;
	return [`Delivery ID  ${run.deliveryId}`, answer];
};

const trigger: Step = async (run) => {
	const { rest, workspace } = run.stack;
	const { id } = await firstExecutionOf(rest, workspace.onCompleted.id);
	run.triggered = await executionSucceeded(rest, id);
	const item = onlyItem(run.triggered, workspace.onCompleted, triggerType);
	expectEqual('shareStatus', item.shareStatus, 'completed');
	expectEqual('requestId', item.requestId, run.requestId);
	expectEqual('deliveryId', item.deliveryId, run.deliveryId);
	return pretty(item);
};

const answers: Step = ({ stack, triggered }) => {
	if (triggered === undefined) throw new Failure('There is no execution of the trigger.');
	const item = onlyItem(triggered, stack.workspace.onCompleted, actionType);
	expectEqual("the share's status", item.status, 'completed');
	return Promise.resolve(pretty({ participants: item.participants, answers: item.answers }));
};

const stored: Step = async ({ stack: { rest, workspace }, created, triggered }) => {
	const executions = [created, triggered].filter((execution) => execution !== undefined);
	const { webhookSecret } = workspace;
	expectNoSecret(executions, { ...serviceCredential, webhookSecret });
	const { length } = await rest.listExecutions(workspace.onCompleted.id);
	expectEqual('the number of executions that the notifications started', length, 1);
	return ['One execution for one completed request; no key, token ID or secret in the data.'];
};

const steps: Array<[title: string, step: Step]> = [
	['n8n has loaded the package', nodesLoaded],
	['The service and the mailbox accept the credentials', credentialsWork],
	['n8n runs the first workflow: create a collection request', create],
	['Every invited participant submits the guest form', submit],
	['The service notifies n8n', deliver],
	['The trigger has started the second workflow with this item', trigger],
	['The second workflow has read the answers', answers],
	['What n8n has stored', stored],
];

/** Runs the demo's steps and prints each; a Failure names the step that did not hold. */
export async function runScenario(stack: Stack): Promise<void> {
	const run: Run = { stack, requestId: '', deliveryId: '' };
	for (const [index, [title, step]] of steps.entries()) {
		console.log(`\n${index + 1}. ${title}`);
		try {
			for (const line of await step(run)) console.log(`   ${line}`);
		} catch (error) {
			throw new Failure(`Step ${index + 1}, "${title}": ${messageOf(error)}`);
		}
	}
}
