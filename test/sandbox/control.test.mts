import { until } from '../support/until.mts';
import { expectPage, startReceiver, useService, WEBHOOK_SECRET } from './client.mts';

const service = useService();
afterEach(() => service.clear());

test('calls are kept in order, without headers and bodies', async () => {
	for (const path of ['share/a%20b?x=1', 'nowhere']) await service.read(path);
	await service.newRequest({ webhookSecret: WEBHOOK_SECRET });
	expect(await service.list('/sandbox/calls')).toEqual([
		{ method: 'GET', url: '/di/share/a%20b?x=1', status: 404 },
		{ method: 'GET', url: '/di/nowhere', status: 404 },
		{ method: 'POST', url: '/di/collection-request/', status: 201 },
	]);
});

test('completing creates the share if need be, once', async () => {
	const path = `/sandbox/requests/${await service.newRequest()}/complete`;
	const completed = { request: { shareStatus: 'completed' }, share: { __v: 1 } };
	expect((await service.post(path)).json).toMatchObject(completed);
	expect((await service.ask(path, { method: 'POST' })).json).toMatchObject(completed);
});

test('what is unknown is 404, and without a webhook there is nothing to send', async () => {
	const forge = await service.post(`/sandbox/requests/${await service.newRequest()}/forge`);
	expect([forge.status, forge.json.code]).toEqual([409, 'no_webhook']);
	for (const path of ['requests/x/complete', 'requests/x/forge', 'deliveries/x/redeliver']) {
		expect((await service.post(`/sandbox/${path}`)).status).toBe(404);
	}
});

test('no secret appears on the console or in the control answers', async () => {
	const id = await service.newRequest({
		webhookUrl: 'http://127.0.0.1:9',
		webhookSecret: WEBHOOK_SECRET,
	});
	for (const path of ['/', '/sandbox/requests', `/sandbox/requests/${id}`]) {
		const answer = await service.ask(path);
		expectPage(answer, 200, id);
		expect(answer.text).not.toContain(WEBHOOK_SECRET);
	}
});

test.each([
	['complete', 401, 'failure', 'Does the credential of the trigger have the webhook secret'],
	['forge', 200, 'failure', 'it does not verify the signature'],
	['complete', 200, 'success', '>200<'],
	['forge', 401, 'success', '>401 as expected<'],
])('the console says of %s and %i that it is a %s: %s', async (send, status, judgement, text) => {
	const receiver = await startReceiver({ status });
	await service.post(`/sandbox/requests/${await service.newRequest(receiver.webhook)}/${send}`);
	await receiver.take(send === 'complete' ? 2 : 1);
	const page = await until('every delivery to end', async () => {
		const now = await service.ask('/');
		return now.text.includes('>in progress<') ? undefined : now;
	});
	expectPage(page, 200, text);
	expect(page.text.includes('<p class="bad">')).toBe(judgement === 'failure');
});
