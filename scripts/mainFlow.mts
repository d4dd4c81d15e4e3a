// `node scripts/bootstrap.mjs sandbox scripts/mainFlow.mts <address>`: goes through the main flow in
// the n8n at this address, over REST and as its first user. It must be new and have the package. The
// nightly job runs this in n8n's image.
import { randomUUID } from 'node:crypto';
import { actionType, credentialType, readExample, triggerType } from '../sandbox/n8n/examples.mts';
import { publish } from '../sandbox/n8n/publish.mts';
import { createRest } from '../sandbox/n8n/rest.mts';
import { outputOf, type Json, type WorkflowNode } from '../sandbox/n8n/types.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { runCommand } from '../sandbox/shared/lifetime.mts';
import { poll } from '../sandbox/shared/poll.mts';

const url = process.argv[2] ?? 'http://localhost:5678';
const rest = createRest(url);
const practiceUrl = `${url}/webhook/data-collection-practice`;
const people = ['ada@example.com', 'ben@example.com'];
const startPath = 'main-flow';

async function post(address: string, body?: URLSearchParams): Promise<void> {
	const signal = AbortSignal.timeout(60_000);
	const { ok, status } = await fetch(address, { method: 'POST', body, signal });
	if (!ok) throw new Failure(`${address} responded with ${status}.`);
}

/** Signs in as the first user of the n8n, once it is up. */
async function signIn(): Promise<void> {
	const isNew = await poll({
		expected: `an n8n at ${url}`,
		within: 120_000,
		read: () => rest.needsOwner().catch(() => undefined),
	});
	if (!isNew) throw new Failure(`The n8n at ${url} has users already: give a new one.`);
	const name = { firstName: 'Main', lastName: 'Flow' };
	const password = `N8n${randomUUID()}`;
	await rest.setUpOwner({ email: 'owner@example.com', password, ...name });
}

async function assertLoaded(): Promise<void> {
	const loaded = (await rest.nodeTypes()).map(({ name }) => name);
	const missing = [actionType, triggerType].filter((type) => !loaded.includes(type));
	if (missing.length > 0) throw new Failure(`n8n has not loaded ${missing.join(' and ')}.`);
}

/** Publishes the practice service, and makes a credential for it that n8n's test accepts. */
async function createCredential() {
	await publish(rest, await rest.createWorkflow(await readExample('practice-service')));
	const fields = { environment: 'practice', practiceUrl, webhookSecret: randomUUID() };
	const credential = await rest.createCredential('Practice', credentialType, fields);
	const { status, message } = await rest.testCredential(credential);
	if (status !== 'OK') throw new Failure(`The test of the credential says: ${message}`);
	return credential;
}

/** Publishes a workflow that creates, waits and gets the answers, and starts it. */
async function start({ id, name }: { id: string; name: string }): Promise<string> {
	const node = (name: string, type: string, typeVersion: number, parameters: Json) =>
		({ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters }) as WorkflowNode;
	const ours = (name: string, resource: string, parameters: Json) => ({
		...node(name, actionType, 1, { resource, ...parameters }),
		credentials: { [credentialType]: { id, name } },
		webhookId: randomUUID(),
	});
	const participantsJson = JSON.stringify(people);
	const create = { operation: 'create', templateId: 'any', participantsMode: 'json' };
	const webhook = { httpMethod: 'POST', path: startPath };
	const nodes = [
		{ ...node('Start', 'n8n-nodes-base.webhook', 2, webhook), webhookId: randomUUID() },
		ours('Create', 'collectionRequest', { ...create, participantsJson }),
		ours('Wait', 'collectionRequest', { operation: 'wait' }),
		ours('Get Answers', 'share', { operation: 'getAnswers' }),
	];
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const connections = Object.fromEntries(
		nodes.slice(0, -1).map(({ name }, index) => [name, to(nodes[index + 1]?.name ?? '')]),
	);
	const file = { name: `Main flow with ${name}`, nodes, connections };
	const workflow = await publish(rest, await rest.createWorkflow(file));
	await post(`${url}/webhook/${startPath}`);
	return workflow.id;
}

/** The workflow's execution once it has this status. */
const executionThat = async (status: string, workflowId: string) => {
	const newest = async () => (await rest.listExecutions(workflowId))[0];
	const { id } = await poll({
		expected: `an execution with the status ${status}`,
		within: 60_000,
		read: async () => {
			const found = await newest();
			return found?.status === status ? found : undefined;
		},
		describe: async () => (await newest())?.status ?? 'none',
	});
	return await rest.getExecution(id);
};

async function mainFlow(): Promise<number> {
	await signIn();
	await assertLoaded();
	const workflowId = await start(await createCredential());
	const [created] = outputOf(await executionThat('waiting', workflowId), 'Create');
	for (const who of people) {
		const form = new URLSearchParams({ who, answer0: `The answer of ${who}` });
		await post(String(created?.guestLink), form);
	}
	const answers = outputOf(await executionThat('success', workflowId), 'Get Answers');
	const given = answers.map(({ value }) => value).filter((value) => value !== '');
	const expected = people.map((who) => `The answer of ${who}`);
	if (given.join() !== expected.join()) {
		throw new Failure(`Expected the answers ${expected.join()}, got ${given.join()}.`);
	}
	console.log(`n8n at ${url}: created, waited, was notified, and has both answers.`);
	return 0;
}

await runCommand(mainFlow, 130);
