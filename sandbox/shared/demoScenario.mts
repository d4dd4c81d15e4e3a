import path from 'node:path';
import { actionType, triggerType } from '../n8n/examples.mts';
import { outputOf, type Execution, type Json, type Workflow } from '../n8n/types.mts';
import { executionSucceeded, firstExecutionOf } from './executions.mts';
import { Failure } from './failure.mts';
import { completedDelivery, submitAnswers } from './guests.mts';
import { serviceCredential } from './service.mts';
import type { Stack } from './stack.mts';

interface Step {
	title: string;
	/** Does the step and answers the lines to show. */
	run: () => string[] | Promise<string[]>;
}

function nodeOf(workflow: Workflow, type: string): string {
	const node = workflow.nodes.find((candidate) => candidate.type === type);
	if (node === undefined) throw new Failure(`"${workflow.name}" has no node of type ${type}.`);
	return node.name;
}

/** The only item a node put out; a Failure for none or several. */
function onlyItem(execution: Execution, workflow: Workflow, type: string): Json {
	const name = nodeOf(workflow, type);
	const items = outputOf(execution, name);
	if (items.length === 1 && items[0] !== undefined) return items[0];
	throw new Failure(`Expected one item of "${name}", but it put out ${items.length}.`);
}

function textField(item: Json, field: string): string {
	const value = item[field];
	if (typeof value === 'string' && value !== '') return value;
	throw new Failure(
		`Expected "${field}" in the item, but it has: ${Object.keys(item).join(', ')}.`,
	);
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
	if (actual === expected) return;
	throw new Failure(`Expected ${what} ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`);
}

function expectNoSecret(executions: Execution[], webhookSecret: string): void {
	const stored = JSON.stringify(executions);
	const secrets = { webhookSecret, ...serviceCredential };
	const found = Object.entries(secrets).filter(([, secret]) => stored.includes(secret));
	if (found.length === 0) return;
	throw new Failure(`n8n stored the credential's ${found.map(([name]) => name).join(', ')}.`);
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

function stepsOf({ rest, service, n8n, workspace, tarball }: Stack): Step[] {
	const { createRequest, onCompleted, credential, webhookSecret } = workspace;
	const executions: Execution[] = [];
	let requestId = '';
	let deliveryId = '';

	const nodesLoaded = async () => {
		const types = (await rest.nodeTypes()).map(({ name }) => name);
		const missing = [actionType, triggerType].filter((type) => !types.includes(type));
		if (missing.length > 0) throw new Failure(`n8n has not loaded ${missing.join(', ')}.`);
		return [`n8n ${n8n.url}, service ${service.url}`, `Installed ${path.basename(tarball)}`];
	};
	const credentialWorks = async () => {
		const { status, message } = await rest.testCredential(credential);
		expectEqual(`the credential test (${message}) to answer`, status, 'OK');
		return [`n8n says: ${message}`];
	};
	const create = async () => {
		const [start] = createRequest.nodes;
		const id = await rest.runManually(createRequest.id, start?.name ?? '');
		const execution = await executionSucceeded(rest, id);
		executions.push(execution);
		const item = onlyItem(execution, createRequest, actionType);
		requestId = textField(item, '_id');
		return [`Request ID  ${requestId}`, `Guest link  ${textField(item, 'guestLink')}`];
	};
	const answer = () => submitAnswers(service.url, requestId);
	const deliver = async () => {
		const delivery = await completedDelivery(service.url, requestId);
		deliveryId = delivery.deliveryId;
		return [`Delivery ID  ${deliveryId}`, `n8n answered ${delivery.statusCode} ${delivery.answer}`];
	};
	const trigger = async () => {
		const { id } = await firstExecutionOf(rest, onCompleted.id);
		const execution = await executionSucceeded(rest, id);
		executions.push(execution);
		const item = onlyItem(execution, onCompleted, triggerType);
		expectEqual('shareStatus', item.shareStatus, 'completed');
		expectEqual('requestId', item.requestId, requestId);
		expectEqual('deliveryId', item.deliveryId, deliveryId);
		return pretty(item);
	};
	const share = () => {
		const [, execution] = executions;
		if (execution === undefined) throw new Failure('There is no execution of the trigger.');
		const item = onlyItem(execution, onCompleted, actionType);
		expectEqual("the share's status", item.status, 'completed');
		return pretty({ participants: item.participants, answers: item.answers });
	};
	const check = async () => {
		expectNoSecret(executions, webhookSecret);
		const count = (await rest.listExecutions(onCompleted.id)).length;
		expectEqual('the number of executions the notifications started', count, 1);
		return ['One execution for one completed request; no key, token ID or secret is in the data.'];
	};

	return [
		{ title: 'n8n has loaded the package', run: nodesLoaded },
		{ title: 'The credential is accepted by the service', run: credentialWorks },
		{ title: `Run "${createRequest.name}"`, run: create },
		{ title: 'Every invited participant submits the guest form', run: answer },
		{ title: 'The service notifies n8n', run: deliver },
		{ title: 'The trigger has started a workflow with this item', run: trigger },
		{ title: 'The workflow has read the answers', run: share },
		{ title: 'What n8n has stored', run: check },
	];
}

/** Runs the demo's steps and prints each; a Failure names the step that did not hold. */
export async function runScenario(stack: Stack): Promise<void> {
	for (const [index, { title, run }] of stepsOf(stack).entries()) {
		console.log(`\n${index + 1}. ${title}`);
		try {
			for (const line of await run()) console.log(`   ${line}`);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Failure(`Step ${index + 1}, "${title}": ${reason}`);
		}
	}
}
