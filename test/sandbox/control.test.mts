import { until } from '../support/until.mts';
import { asForm, authentication, expectPage, listOf } from './client.mts';
import { startReceiver, useService, WEBHOOK_SECRET } from './client.mts';

const service = useService();
afterEach(() => service.clear());

const consolePage = () => service.ask('/');
const press = (path: string) => service.ask(`/console/${path}`, asForm({}));

describe('calls', () => {
	test('are kept in order, as received, without secrets', async () => {
		const paths = ['share/a%20b?x=1', 'share/%zz', 'nowhere'];
		for (const path of paths) await service.read(path);
		await service.newRequest({ webhookSecret: WEBHOOK_SECRET });
		const calls = await service.list('/sandbox/calls');
		expect(calls).toMatchObject([
			...paths.map((path) => ({ method: 'GET', url: `/di/${path}`, status: 404, body: null })),
			{
				...{ method: 'POST', url: '/di/collection-request/', status: 201 },
				headers: { authorization: '(hidden)', tokenid: '(hidden)' },
				body: { templateId: 'delivery', webhookSecret: '(hidden)' },
			},
		]);
		expect(JSON.stringify(calls)).not.toMatch(/sandbox-api-key|sandbox-token-id|whsec/);
	});

	const told = useService({ recordSecrets: true });
	test('keep secrets when the service was told so', async () => {
		await told.newRequest({ webhookSecret: WEBHOOK_SECRET });
		const { authorization, tokenId: tokenid } = authentication;
		expect(await told.list('/sandbox/calls')).toMatchObject([
			{ headers: { authorization, tokenid }, body: { webhookSecret: WEBHOOK_SECRET } },
		]);
	});
});

test('completing creates the share if need be, once, and needs no body', async () => {
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

test('the forms of the console complete, forge, redeliver and repeat', async () => {
	expectPage(await consolePage(), 200, 'No collection requests yet.');
	const receiver = await startReceiver({ status: 204 });
	const id = await service.newRequest(receiver.webhook);
	const { status, location } = await press(`requests/${id}/complete`);
	expect([status, location]).toEqual([303, `/#request-${id}`]);
	await receiver.take(2);
	await press(`requests/${id}/forge`);
	const [state] = await service.list('/sandbox/requests');
	const forged = String(listOf(state?.deliveries)[0]?.id);
	await press(`deliveries/${forged}/redeliver`);
	await receiver.take(4);
	await press(`deliveries/${forged}/repeat`);
	const [, , sent, , repeated] = await receiver.take(5);
	expect(repeated).toEqual(sent);
});

test.each([
	['complete', 401, 'failure', 'Does the credential of the trigger have the webhook secret'],
	['forge', 200, 'failure', 'it does not verify the signature'],
	['complete', 200, 'success', '>200<'],
	['forge', 401, 'success', '>401 as expected<'],
])('the console says of %s and %i that it is a %s: %s', async (send, status, judgement, text) => {
	const receiver = await startReceiver({ status });
	await press(`requests/${await service.newRequest(receiver.webhook)}/${send}`);
	await receiver.take(send === 'complete' ? 2 : 1);
	const page = await until('every delivery to end', async () => {
		const now = await consolePage();
		return now.text.includes('>in progress<') ? undefined : now;
	});
	expectPage(page, 200, text);
	expect(page.text.includes('class="error"')).toBe(judgement === 'failure');
});
