import { failureOf, outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { isBefore, service } from '../support/environment.mts';
import { runNode, runWorkflow, waitTracker } from '../support/executions.mts';
import { twoPeople } from '../support/people.mts';
import { createWaiting } from '../support/waiting.mts';
import { actionNode, graph, manualNode, setNode } from '../support/workflows.mts';

// What depends on n8n's version: the two outputs of our operations.

const limit = { limitWaitTime: true, resumeAmount: 10, resumeUnit: 'seconds' };

test("Wait: its limit ends it by Time's Up, or is refused before it waits", async () => {
	if (await isBefore(2, 39)) {
		const parameters = { resource: 'collectionRequest', operation: 'wait', which: 'requestId' };
		const execution = await runNode({
			name: 'Compatibility: limit',
			credential: await createCredential('Limit', { webhookSecret: newSecret() }),
			parameters: { ...parameters, requestId: service.create(), ...limit },
		});
		expect(failureOf(execution)).toMatch(/^Limit Wait Time needs n8n 2\.39 or newer/);
		return;
	}
	const paths = ['Webhook -> Create -> Wait', 'Wait/1 -> Next'];
	const created = await createWaiting({ name: 'Compatibility: limit', wait: limit, paths });
	const wait = await created.startWaiting();
	const { requestId, guestLink } = wait;
	const [outputs] = runsOf(await wait.endsOnce(waitTracker), 'Wait');
	expect(outputs).toStrictEqual([[], [{ requestId, guestLink, timedOut: true }]]);
});

test('Get People to Remind: who is missing leaves first, and what is completed second', async () => {
	const ids = [1, 2].map(() => service.create({ participantList: twoPeople }));
	service.complete(ids[1]);
	const webhookSecret = newSecret();
	const credential = await createCredential('People to remind', { webhookSecret });
	const outputs = [];
	for (const requestId of ids) {
		const parameters = { resource: 'collectionRequest', operation: 'getPeopleToRemind', requestId };
		const people = actionNode('People', credential, parameters);
		const ends = ['Remind', 'Collect'].map((name) => setNode(name, 'id', '={{ $json.requestId }}'));
		const paths = ['Start -> People -> Remind', 'People/1 -> Collect'];
		const nodes = [manualNode(), people, ...ends];
		const execution = await runWorkflow(graph('Compatibility: people to remind', nodes, paths));
		outputs.push(ends.map(({ name }) => outputOf(execution, name).map(({ email }) => email)));
	}
	expect(outputs).toStrictEqual([
		[['ada@example.com', 'ben@example.com'], []],
		[[], [undefined]],
	]);
});
