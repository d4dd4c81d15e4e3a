import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { openBench, withNode } from '../support/examples.mts';
import { newestId, succeeded, waits } from '../support/executions.mts';
import { openModel, say, toolResult, type ModelCall } from '../support/model.mts';
import { ada, ben, bothAnswer, twoPeople } from '../support/sandboxService.mts';

const bench = await openBench('agent');
const chatName = 'When a chat message arrives';

/** The tool result that the model got before the call with this number. */
const toldBefore = (number: number) => toolResult(calls[number - 1] as ModelCall);
const created = () => toldBefore(3);
const create = (participants: Json[]) =>
	say('Create_collection_request', {
		topic: 'Addresses',
		// As text, which the field requires.
		participants: JSON.stringify(participants),
	});
const emailTo = (person: Json) => () =>
	say('Email_the_guest_link', { ...person, topic: 'Addresses', guestLink: created().guestLink });
const { calls, credentials } = await openModel('E2E example agent', [
	() => create([ada, { name: 'Ben Example', email: 'ben at home' }]),
	() => create(twoPeople),
	emailTo({ ...ada, email: '' }),
	emailTo(ada),
	emailTo(ben),
	() => say('Wait_for_everybody', { requestId: created().requestId }),
	() => say('Read_answers', { requestId: created().requestId }),
	() => 'Both have answered.',
]);

test('an agent learns what to correct, invites two people, waits, and says what they answered', async () => {
	const workflow = await bench.load('ai-agent', {
		change: (file) => {
			const changed = withNode(file, chatName, { public: true });
			const withModel = changed.nodes.map((one) =>
				one.type.endsWith('.lmChatOpenAi') ? { ...one, credentials } : one,
			);
			return { ...changed, nodes: withModel };
		},
	});
	const { id, nodes } = await publish(rest, workflow);
	const { webhookId } = nodes.find(({ name }) => name === chatName) ?? {};
	const said = fetch(`${n8nUrl}/webhook/${String(webhookId)}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			action: 'sendMessage',
			sessionId: randomUUID(),
			chatInput: 'Ask them.',
		}),
	});
	const executionId = await newestId(id);
	await waits(executionId);
	await bothAnswer(created().guestLink, 'Address of ');
	const execution = await succeeded(executionId);
	expect(outputOf(execution, 'Decide what to do')).toEqual([{ output: 'Both have answered.' }]);
	// The chat has no item when the wait begins, as the example's note says.
	expect((await said).status).toBe(500);

	// A tool that fails says what to do, too.
	expect(toldBefore(2)).toEqual({
		error: 'Participant 2 has no valid email: ben at home',
		message: 'Enter an address like nathan@example.com, or leave the email empty.',
	});
	expect(toldBefore(4)).toEqual({ error: 'No recipients defined' });
	expect(toldBefore(7)).toMatchObject({ shareStatus: 'completed', timedOut: false });
	const given = { 'Delivery address': 'Address of Ada Example' };
	expect(toldBefore(8)).toMatchObject({ answers: given });
	const { guestLink } = created();
	expect((await bench.mails()).map(({ to, links }) => [to, links])).toEqual([
		[[ada.email], [guestLink]],
		[[ben.email], [guestLink]],
	]);
	expect(bench.front.of('POST').map(({ body }) => body.participantList)).toEqual([twoPeople]);
});
