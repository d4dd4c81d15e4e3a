import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId, signed, withHeader } from '../support/delivery.mts';
import { isBefore, service } from '../support/environment.mts';
import { ada, ben } from '../support/people.mts';
import { matching } from '../support/matchers.mts';
import { send } from '../support/send.mts';
import { openService } from '../support/service/service.mts';
import { createWaiting } from '../support/waiting.mts';

test('goes on waiting after the first guest, and is ended by the last one', async () => {
	const created = await createWaiting({ name: 'E2E waiting: two guests' });
	const wait = await created.startWaiting();
	const { requestId, guestLink } = wait;
	service.submit(guestLink, ada, 'Bahnhofstrasse 1');
	expect(await wait.answered('open')).toBe('200 waiting');
	expect(await wait.status()).toBe('waiting');

	service.submit(guestLink, ben, 'Seestrasse 2');
	expect(await wait.answered('completed')).toBe('200 accepted');
	const execution = await wait.endsOnce();
	const deliveryId = service.stateOf(requestId).deliveries.at(-1)?.deliveryId;
	const [item = {}, ...more] = outputOf(execution, 'Wait');
	const { timestamp } = item.notification as { timestamp: string };
	expect([item, ...more]).toStrictEqual([
		{
			requestId,
			guestLink,
			...service.read(`/di/collection-request/${requestId}`),
			shareStatus: 'completed',
			isReached: true,
			timedOut: false,
			notification: {
				event: 'collection_request.updated',
				requestId,
				guestLink,
				shareStatus: 'completed',
				webhookIdentifier: created.identifier,
				timestamp,
				notifiedAt: new Date(Number(timestamp)).toISOString(),
				deliveryId,
			},
		},
	]);
	expect(outputOf(execution, 'Next')[0]?.seen).toBe(requestId);
});

test('a forged and a stale notification are refused, another one ignored: none ends it', async () => {
	const wait = await (await createWaiting({ name: 'E2E waiting: refused' })).startWaiting();
	const forged = signed({ secret: 'another secret', body: wait.delivery().body });
	const stale = wait.delivery({}, String(Date.now() - 301_000));
	const renewed = withHeader(wait.delivery(), 'X-SVC-Timestamp', String(Date.now() + 1000));
	for (const one of [forged, stale, renewed]) {
		expect(await wait.send(one)).toBe('401 unverified');
	}
	const another = wait.delivery({ requestId: newId() });
	expect(await wait.send(another)).toBe('200 ignored');
	expect(await wait.status()).toBe('waiting');
	service.complete(wait.requestId);
	await wait.endsOnce();
});

test('a notification ends it in a workflow of Execution Logic v2, too', async () => {
	const name = 'E2E waiting: Execution Logic v2';
	const created = await createWaiting({ name, settings: { binaryMode: 'combined' } });
	const wait = await created.startWaiting();
	expect(await wait.send(wait.delivery({ shareStatus: 'open' }))).toBe('200 waiting');
	expect(await wait.send(wait.delivery())).toBe('200 accepted');
	const [item] = outputOf(await wait.endsOnce(), 'Next');
	expect(item).toMatchObject({ requestId: wait.requestId, seen: wait.requestId });
});

// n8n 2.11 and older have no token: there, the signature alone protects it.
const withToken = (await isBefore(2, 12)) ? test.skip : test;
withToken('n8n refuses a resume URL with a wrong token or none, or with another path', async () => {
	const wait = await (await createWaiting({ name: 'E2E waiting: wrong URL' })).startWaiting();
	const { origin, pathname, searchParams } = new URL(wait.resumeUrl);
	expect(pathname).toBe(`/webhook-waiting/${wait.executionId}/data-collection`);
	const token = searchParams.get('signature') ?? '';
	expect(token).toMatch(/^[0-9a-f]{32,}$/);
	const wrong = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
	const sendTo = (url: string) => send(url, wait.delivery());
	expect(await sendTo(`${origin}${pathname}?signature=`)).toMatch(/^401 /);
	expect(await sendTo(`${origin}${pathname}?signature=${wrong}`)).toMatch(/^401 /);
	expect(await sendTo(wait.resumeUrl.replace('/data-collection', ''))).toMatch(/^404 /);
	expect((await fetch(wait.resumeUrl)).status).toBe(404);
	expect(await wait.status()).toBe('waiting');
	await wait.send(wait.delivery());
	await wait.endsOnce();
});

test('20 notifications at the same moment end it once', async () => {
	const wait = await (await createWaiting({ name: 'E2E waiting: at once' })).startWaiting();
	const deliveries = Array.from({ length: 20 }, (_, index) => wait.delivery({ index }));
	const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
	expect(answers.filter((one) => one === '200 accepted')).toHaveLength(1);
	await wait.endsOnce();
	expect(await wait.send(wait.delivery({ late: true }))).toMatch(/^409 /);
});

test('a notification before n8n has stored the wait: 409, and one that comes again ends it', async () => {
	const own = await openService();
	const early: string[] = [];
	own.respond = async (call) => {
		const reply = own.answer(call);
		if (call.method === 'GET' && early.length === 0) {
			const requestId = String(reply.body?._id);
			own.complete(requestId);
			early.push(await own.answered(requestId, 'completed'));
		}
		return reply;
	};
	const wait = await (await createWaiting({ name: 'E2E waiting: race', at: own })).startWaiting();
	expect(early).toEqual([matching(/^409 /)]);
	expect(await wait.status()).toBe('waiting');
	expect(await wait.send(wait.delivery())).toBe('200 accepted');
	expect(outputOf(await wait.endsOnce(), 'Next')[0]?.shareStatus).toBe('completed');
});
