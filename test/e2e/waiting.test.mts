import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId, withHeader } from '../support/delivery.mts';
import { isBefore } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { ada, answered, assertBegins, ben, complete } from '../support/sandboxService.mts';
import { fillInForm, forge, readApi, redeliver } from '../support/sandboxService.mts';
import type { Delivery } from '../../sandbox/service/types.mts';
import { send, type Answer } from '../support/send.mts';
import { createWaiting, nextName, waitingName } from '../support/waiting.mts';
import type { WaitingOptions } from '../support/waiting.mts';

const front = await openFront();
const create = (name: string, options: Partial<WaitingOptions> = {}) => {
	const fields = { productionBaseUrl: front.url };
	return createWaiting({ name: `E2E waiting: ${name}`, fields, ...options });
};

const saidTo = ({ statusCode, answer }: Delivery) => `${statusCode} ${answer}`;
const said = ({ status, text }: Answer) => `${status} ${text}`;
/** The part of the resume URL's path that the node adds. */
const resumePath = 'data-collection';
const accepted = '200 {"status":"accepted"}';
const goesOn = '200 {"status":"waiting"}';
const ignored = '200 {"status":"ignored"}';
const unverified = '401 {"status":"unverified"}';

test('goes on waiting after the first guest, and is ended by the last one', async () => {
	const created = await create('two guests');
	const wait = await created.startWaiting();
	const { requestId, guestLink } = wait;
	await fillInForm(guestLink, ada, 'Bahnhofstrasse 1');
	expect(saidTo(await wait.answered('open'))).toBe(goesOn);
	expect(await wait.status()).toBe('waiting');

	await fillInForm(guestLink, ben, 'Seestrasse 2');
	const completed = await wait.answered('completed');
	expect(saidTo(completed)).toBe(accepted);
	const execution = await wait.endsOnce();
	const [item = {}, ...more] = outputOf(execution, waitingName);
	expect(more.length).toBe(0);
	assertBegins(item, requestId, guestLink);
	const { timestamp } = item.notification as { timestamp: string };
	const notifiedAt = new Date(Number(timestamp)).toISOString();
	expect(timestamp).toMatch(/^\d{13}$/);
	expect(item).toStrictEqual({
		...(await readApi(`/di/collection-request/${requestId}`)),
		requestId,
		guestLink,
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
			notifiedAt,
			deliveryId: completed.deliveryId,
		},
	});
	expect(outputOf(execution, nextName)[0]?.seen).toBe(requestId);
});

test('a forged and a stale notification are refused, another one ignored: none ends it', async () => {
	const wait = await (await create('refused')).startWaiting();
	expect(saidTo(await forge(wait.requestId))).toBe(unverified);
	const another = wait.delivery({ requestId: newId() });
	expect(said(await wait.send(another))).toBe(ignored);
	const stale = wait.delivery({}, String(Date.now() - 301_000));
	const renewed = withHeader(wait.delivery(), 'X-SVC-Timestamp', String(Date.now() + 1000));
	for (const one of [stale, renewed]) expect(said(await wait.send(one))).toBe(unverified);

	expect(await wait.status()).toBe('waiting');
	await complete(wait.requestId);
	await wait.endsOnce();
});

// n8n 2.11 and older have no token: there, the signature alone protects it.
const withToken = (await isBefore(2, 12)) ? test.skip : test;
withToken(
	'n8n itself refuses a resume URL with a wrong token or none, or with another path',
	async () => {
		const wait = await (await create('wrong URL')).startWaiting();
		const right = new URL(wait.resumeUrl);
		expect(right.pathname).toBe(`/webhook-waiting/${wait.executionId}/${resumePath}`);
		const token = right.searchParams.get('signature') ?? '';
		expect(token).toMatch(/^[0-9a-f]{32,}$/);
		const another = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
		for (const signature of ['', another]) {
			const search = `?signature=${signature}`;
			const { href } = Object.assign(new URL(right), { search });
			expect((await send(href, wait.delivery())).status).toBe(401);
		}
		const pathname = right.pathname.replace(`/${resumePath}`, '');
		const { href } = Object.assign(new URL(right), { pathname });
		expect((await send(href, wait.delivery())).status).toBe(404);
		expect((await fetch(wait.resumeUrl)).status).toBe(404);
		expect(await wait.status()).toBe('waiting');
		await wait.send(wait.delivery());
		await wait.endsOnce();
	},
);

test('20 notifications at the same moment end it once', async () => {
	const wait = await (await create('at once')).startWaiting();
	const deliveries = Array.from({ length: 20 }, (_, index) => wait.delivery({ index }));
	const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
	expect(answers.map(said).filter((one) => one === accepted).length).toBe(1);
	await wait.endsOnce();
	expect((await wait.send(wait.delivery({ late: true }))).status).toBe(409);
});

test('a notification before n8n has stored the wait: 409, and one that comes again ends it', async () => {
	let early: Delivery | undefined;
	front.before = async ({ method }, { body }) => {
		if (method !== 'GET') return;
		const requestId = String(body._id);
		await complete(requestId);
		early = await answered(requestId, 'completed');
	};
	const wait = await (await create('race')).startWaiting();
	front.before = undefined;
	assert.ok(early);
	expect(early.statusCode).toBe(409);
	expect(await wait.status()).toBe('waiting');
	expect(saidTo(await redeliver(early.id, false))).toBe(accepted);
	expect(outputOf(await wait.endsOnce(), nextName)[0]?.shareStatus).toBe('completed');
});
