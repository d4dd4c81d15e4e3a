import { failureOf, outputOf, runsOf, type Json } from '../../sandbox/n8n/types.mts';
import { newId, withBody } from '../support/delivery.mts';
import { actionNode, graph, manualNode, setNode } from '../support/workflows.mts';
import { createCredential } from '../support/credential.mts';
import { runNode, runWorkflow, waitTracker } from '../support/executions.mts';
import { complete, createRequest, twoPeople } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import { createWaiting, waitingName } from '../support/waiting.mts';
import { type Wait, type WaitingOptions } from '../support/waiting.mts';
import { isBefore } from '../support/versions.mts';

/** Before this version, n8n loses what leaves a wait by its second output. */
const hasTwoOutputs = !(await isBefore(2, 39));
const limit = { limitWaitTime: true, resumeAmount: 10, resumeUnit: 'seconds' };

let limited: Wait;
let wait: Wait;
const start = async (name: string, options: Partial<WaitingOptions> = {}) =>
	await (await createWaiting({ name: `Compatibility: ${name}`, ...options })).startWaiting();
beforeAll(async () => {
	const paths = ['Webhook -> Create -> Wait', 'Wait/1 -> Next'];
	if (hasTwoOutputs) limited = await start('limit', { wait: limit, paths });
	wait = await start('notification');
});

test('Wait: a forged and another notification end nothing', async () => {
	const good = wait.delivery();
	for (const [delivery, answer] of [
		[withBody(good, `${good.body.toString()} `), '401 {"status":"unverified"}'],
		[wait.delivery({ requestId: newId() }), '200 {"status":"ignored"}'],
		[wait.delivery({ shareStatus: 'open' }), '200 {"status":"waiting"}'],
	] as const) {
		const { status, text } = await wait.send(delivery);
		expect(`${status} ${text}`).toBe(answer);
	}
	expect(await wait.status()).toBe('waiting');
});

test('Wait: n8n checks the token of the resume URL', async () => {
	const url = new URL(wait.resumeUrl);
	// n8n 2.11 and older have no token: there, the signature alone protects it.
	if (url.search === '') return;
	url.search = '';
	expect((await send(url.href, wait.delivery())).status).toBe(401);
	expect(await wait.status()).toBe('waiting');
});

test('Wait: the notification ends it', async () => {
	await complete(wait.requestId);
	const [item = {}] = outputOf(await wait.endsOnce(), waitingName);
	expect(item).toMatchObject({ requestId: wait.requestId, shareStatus: 'completed' });
	expect((item.notification as Json).requestId).toBe(wait.requestId);
	expect(item.timedOut).toBe(false);
});

test('Wait: its limit ends it by Timed Out, or is refused before it waits', async () => {
	if (hasTwoOutputs) {
		const [outputs] = runsOf(await limited.endsOnce(waitTracker), waitingName);
		const { requestId, guestLink } = limited;
		expect(outputs).toStrictEqual([[], [{ requestId, guestLink, timedOut: true }]]);
		expect((await limited.send(limited.delivery())).status).toBe(409);
		return;
	}
	const parameters = { resource: 'collectionRequest', operation: 'wait', which: 'requestId' };
	const execution = await runNode({
		name: 'Compatibility: limit',
		credential: await createCredential('Limit'),
		parameters: { ...parameters, requestId: await createRequest(), ...limit },
	});
	expect(execution.status).toBe('error');
	expect(failureOf(execution)).toMatch(/^Limit Wait Time needs n8n 2\.39 or newer/);
});

test('Get People to Remind: those who are missing leave by the first output, what is completed by the second', async () => {
	const ids = [];
	for (const each of [0, 1]) ids[each] = await createRequest({ participantList: twoPeople });
	const [open = '', completed = ''] = ids;
	await complete(completed);
	const credential = await createCredential('People to remind');
	const toRemind = async (requestId: string) => {
		const people = actionNode('People', credential, {
			resource: 'collectionRequest',
			operation: 'getPeopleToRemind',
			requestId,
		});
		const ends = ['Remind', 'Collect'].map((name) => setNode(name, 'id', '={{ $json.requestId }}'));
		const paths = ['Start -> People -> Remind', 'People/1 -> Collect'];
		const nodes = [manualNode(), people, ...ends];
		const execution = await runWorkflow(graph('Compatibility: people to remind', nodes, paths));
		return ends.map(({ name }) => outputOf(execution, name).map(({ id, email }) => [id, email]));
	};
	const people = twoPeople.map(({ email }) => [open, email]);
	expect(await toRemind(open)).toStrictEqual([people, []]);
	expect(await toRemind(completed)).toStrictEqual([[], [[completed, undefined]]]);
});
