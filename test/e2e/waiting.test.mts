import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId, withHeader } from '../support/delivery.mts';
import { n8nUrl } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { assertBegins } from '../support/items.mts';
import { answered, callApi, complete, fillInForm, forge } from '../support/sandboxService.mts';
import { redeliver, type SentDelivery } from '../support/sandboxService.mts';
import { send, type Answer } from '../support/send.mts';
import { createWaiting, nextName, resumePath, twoPeople } from '../support/waiting.mts';
import { waitingName } from '../support/waiting.mts';

const front = await openFront();
const create = (name: string) =>
	createWaiting({ name: `E2E waiting: ${name}`, fields: { productionBaseUrl: front.url } });

const saidTo = ({ statusCode, answer }: SentDelivery) => `${statusCode} ${answer}`;
const said = ({ status, text }: Answer) => `${status} ${text}`;
const accepted = '200 {"status":"accepted"}';
const goesOn = '200 {"status":"waiting"}';
const ignored = '200 {"status":"ignored"}';
const unverified = '401 {"status":"unverified"}';

describe('Wait', () => {
	test('goes on waiting after the first guest, and is ended by the last one', async () => {
		const created = await create('two guests');
		const wait = await created.startWaiting();
		const { requestId, guestLink } = wait;
		await fillInForm(guestLink, twoPeople[0], 'Bahnhofstrasse 1');
		assert.equal(saidTo(await wait.answered('open')), goesOn);
		assert.equal(await wait.status(), 'waiting');

		await fillInForm(guestLink, twoPeople[1], 'Seestrasse 2');
		const completed = await wait.answered('completed');
		assert.equal(saidTo(completed), accepted);
		const execution = await wait.endsOnce();
		const [item = {}, ...more] = outputOf(execution, waitingName);
		assert.equal(more.length, 0);
		assertBegins(item, requestId, guestLink);
		const { timestamp } = item.notification as { timestamp: string };
		assert.match(timestamp, /^\d{13}$/);
		assert.deepEqual(item, {
			...(await callApi(`/di/collection-request/${requestId}`)),
			...{ requestId, guestLink, shareStatus: 'completed', timedOut: false },
			notification: {
				...{ event: 'collection_request.updated', requestId, shareStatus: 'completed', timestamp },
				webhookIdentifier: created.identifier,
				deliveryId: completed.deliveryId,
			},
		});
		assert.equal(outputOf(execution, nextName)[0]?.seen, requestId);
	});

	test('a forged and a stale notification are refused, another one ignored: none ends it', async () => {
		const wait = await (await create('refused')).startWaiting();
		assert.equal(saidTo(await forge(wait.requestId)), unverified);
		const another = wait.delivery({ requestId: newId() });
		assert.equal(said(await wait.send(another)), ignored);
		const stale = wait.delivery({}, String(Date.now() - 301_000));
		const renewed = withHeader(wait.delivery(), 'X-SVC-Timestamp', String(Date.now() + 1000));
		for (const one of [stale, renewed]) assert.equal(said(await wait.send(one)), unverified);

		assert.equal(await wait.status(), 'waiting');
		await complete(wait.requestId);
		await wait.endsOnce();
	});

	test('n8n itself refuses a resume URL with a wrong token or none, or with another path', async () => {
		const wait = await (await create('wrong URL')).startWaiting();
		const right = new URL(wait.resumeUrl);
		assert.equal(right.pathname, `/webhook-waiting/${wait.executionId}/${resumePath}`);
		const token = right.searchParams.get('signature') ?? '';
		assert.match(token, /^[0-9a-f]{32,}$/);
		const another = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
		for (const search of ['', token.slice(1), another].map((wrong) => `?signature=${wrong}`)) {
			const { href } = Object.assign(new URL(right), { search });
			const { status, text } = await send(href, wait.delivery());
			assert.equal(status, 401);
			assert.match(text, /Invalid token/);
		}
		const untold = Object.assign(new URL(right), { search: '' });
		assert.equal((await send(untold.href, wait.delivery())).status, 401);
		for (const suffix of ['', '/', '/default', `/${resumePath}2`]) {
			const pathname = right.pathname.replace(`/${resumePath}`, suffix);
			const { href } = Object.assign(new URL(right), { pathname });
			assert.equal((await send(href, wait.delivery())).status, 404, href);
		}
		assert.equal((await fetch(wait.resumeUrl)).status, 404, 'by GET');
		assert.equal(await wait.status(), 'waiting');
		await wait.send(wait.delivery());
		await wait.endsOnce();
	});

	for (const count of [2, 20, 50]) {
		test(`${count} notifications at the same moment end it once`, async () => {
			const wait = await (await create(`${count} at once`)).startWaiting();
			const deliveries = Array.from({ length: count }, (_, index) => wait.delivery({ index }));
			const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
			const statuses = answers.map(({ status }) => status);
			assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
			assert.equal(outputOf(await wait.endsOnce(), waitingName).length, 1);
			const late = await wait.send(wait.delivery({ late: true }));
			assert.equal(late.status, 409, late.text);
			await wait.endsOnce();
			assert.equal((await fetch(`${n8nUrl}/healthz/readiness`)).status, 200);
		});
	}

	test('a notification before n8n has stored the wait: 409, and one that comes again ends it', async () => {
		let early: SentDelivery | undefined;
		front.before = async ({ method }, { body }) => {
			if (method !== 'GET') return;
			const requestId = String(body._id);
			await complete(requestId);
			early = await answered(requestId, 'completed');
		};
		const wait = await (await create('race')).startWaiting();
		front.before = undefined;
		assert.equal(early?.statusCode, 409);
		assert.equal(await wait.status(), 'waiting');
		assert.equal(saidTo(await redeliver(early.id, false)), accepted);
		assert.equal(outputOf(await wait.endsOnce(), nextName)[0]?.shareStatus, 'completed');
	});
});
