import assert from 'node:assert/strict';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { newId, withHeader } from '../support/delivery.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { countExecutions, succeeded } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { assertBegins } from '../support/items.mts';
import { answered, callApi, complete, fillInForm, forge } from '../support/sandboxService.mts';
import { redeliver, stateOf, type SentDelivery } from '../support/sandboxService.mts';
import { send, type Answer } from '../support/send.mts';
import { createName, createWaiting, nextName, resumePath } from '../support/waiting.mts';
import { runsOfNext, twoPeople, unnotified, waitingName, type Wait } from '../support/waiting.mts';
import { setNode, splitNode } from '../support/workflows.mts';

const front = await openFront();
const create = (name: string, more: Json = {}) =>
	createWaiting({
		...{ name: `E2E waiting: ${name}`, fields: { productionBaseUrl: front.url } },
		...more,
	});

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

	/** Sends a good delivery to other addresses in vain, then to the right one. */
	const refusesAt = async (name: string, change: (url: URL, wait: Wait) => URL[]) => {
		const wait = await (await create(name)).startWaiting();
		const answers: Answer[] = [];
		for (const { href } of change(new URL(wait.resumeUrl), wait)) {
			answers.push(await send(href, wait.delivery()));
		}
		assert.equal((await fetch(wait.resumeUrl)).status, 404, 'by GET');
		assert.equal(await wait.status(), 'waiting');
		await wait.send(wait.delivery());
		await wait.endsOnce();
		return answers;
	};

	test('n8n itself refuses a resume URL with a wrong token or with none', async () => {
		const answers = await refusesAt('wrong token', (url) => {
			const token = url.searchParams.get('signature') ?? '';
			assert.match(token, /^[0-9a-f]{32,}$/);
			const other = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
			const searches = ['', token.slice(1), other].map((wrong) => `?signature=${wrong}`);
			return [...searches, ''].map((search) => Object.assign(new URL(url), { search }));
		});
		for (const { status } of answers) assert.equal(status, 401);
		for (const { text } of answers.slice(0, -1)) assert.match(text, /Invalid token/);
	});

	test('and one with no path of the node, or with another one', async () => {
		const answers = await refusesAt('wrong path', (url, { executionId }) => {
			const { pathname } = url;
			assert.equal(pathname, `/webhook-waiting/${executionId}/${resumePath}`);
			return ['', '/', '/default', `/${resumePath}2`].map((suffix) =>
				Object.assign(new URL(url), { pathname: pathname.replace(`/${resumePath}`, suffix) }),
			);
		});
		for (const { status, text } of answers) assert.equal(status, 404, text);
	});

	for (const count of [2, 20, 50]) {
		test(`${count} notifications at the same moment end it once`, async () => {
			const created = await create(`${count} at once`);
			const wait = await created.startWaiting();
			const deliveries = Array.from({ length: count }, (_, index) => wait.delivery({ index }));
			const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
			const statuses = answers.map(({ status }) => status);
			assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
			assert.equal(outputOf(await wait.endsOnce(), waitingName).length, 1);
			const late = await wait.send(wait.delivery({ late: true }));
			assert.equal(late.status, 409, late.text);
			assert.equal(await countExecutions(openRest(), created.workflow.id), 1);
			assert.equal((await fetch(`${n8nUrl}/healthz/readiness`)).status, 200);
		});
	}

	test('a status of your own ends the wait as well', async () => {
		const parameters = { waitForStatuses: ['reviewed', 'declined'] };
		const wait = await (await create('own status', { wait: parameters })).startWaiting();
		assert.equal(said(await wait.send(wait.delivery())), goesOn);
		await wait.send(wait.delivery({ shareStatus: 'declined' }));
		assert.equal(outputOf(await wait.endsOnce(), waitingName)[0]?.shareStatus, 'declined');
	});

	test('five requests, one of them for two people: all items once the last is complete', async () => {
		const emails = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `${name}@x.org`);
		// The third item invites two people, who come out as an item each, with one request ID.
		const groups = [[0], [1], [2, 3], [4], [5]].map((people) => ({
			people: people.map((index) => ({ email: emails[index] })),
		}));
		const created = await createWaiting({
			...{ name: 'E2E waiting: five together', body: { groups } },
			create: {
				participantsJson: '={{ $json.people }}',
				...{ output: 'participants', options: { concurrency: 1 } },
			},
			follow: ({ create: made, wait }) => [
				splitNode('body.groups'),
				made,
				wait,
				setNode(nextName, 'seen', `={{ $('${createName}').item.json.email }}`),
			],
		});
		const waiting = await created.startWaitingForAll();
		assert.equal(waiting.length, 5);
		const last = waiting[2] as Wait;
		// Neither in the order of the items, nor is the request with two items an early one.
		for (const index of [4, 0, 3, 1]) {
			const one = waiting[index] as Wait;
			await complete(one.requestId);
			assert.equal(saidTo(await one.answered('completed')), goesOn);
			assert.equal(await one.status(), 'waiting');
		}
		await complete(last.requestId);
		const ending = await last.answered('completed');
		assert.equal(saidTo(ending), accepted);
		const execution = await last.endsOnce();
		assert.deepEqual(
			outputOf(execution, waitingName).map(({ requestId, shareStatus, timedOut, notification }) => [
				...[requestId, shareStatus, timedOut],
				(notification as { deliveryId: string } | null)?.deliveryId,
			]),
			[0, 1, 2, 2, 3, 4].map((index) => [
				...[waiting[index]?.requestId, 'completed', false],
				index === 2 ? ending.deliveryId : undefined,
			]),
		);
		assert.deepEqual(
			outputOf(execution, nextName).map(({ seen }) => seen),
			emails,
		);
	});
});

describe('Wait: when it does not end by the first notification', () => {
	afterEach(() => {
		front.before = undefined;
		front.decide = undefined;
	});
	const endsByRepetition = async (wait: Wait, id: string) => {
		assert.equal(await wait.status(), 'waiting');
		assert.equal(saidTo(await redeliver(id, false)), accepted);
		assert.equal(outputOf(await wait.endsOnce(), nextName)[0]?.shareStatus, 'completed');
	};

	test('a request that is complete before it begins: no wait', async () => {
		front.before = async ({ method }, { body }) => {
			if (method === 'POST') await complete(String(body._id));
		};
		const created = await create('complete at once');
		const execution = await succeeded(openRest(), await created.start());
		assert.equal(runsOfNext(execution), 1);
		const [wait] = await created.requests(execution.id);
		assert.ok(wait);
		assert.equal(wait.request.shareStatus, 'completed');
		const [item = {}] = outputOf(execution, waitingName);
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.deepEqual(item, { ...wait.request, ...unnotified(wait) });
		assert.equal(await countExecutions(openRest(), created.workflow.id), 1);
	});

	test('a service that fails its reads at the notification: 503, and a later one ends it', async () => {
		const wait = await (await create('fails later')).startWaiting();
		front.decide = ({ method }) => (method === 'GET' ? { status: 500, body: {} } : undefined);
		await complete(wait.requestId);
		const completed = await wait.answered('completed');
		assert.equal(saidTo(completed), '503 {"status":"not checked"}');
		const { deliveries } = await stateOf(wait.requestId);
		assert.equal(deliveries.at(-1)?.answer, '{"status":"waiting"}', 'about "open"');
		front.decide = undefined;
		await endsByRepetition(wait, completed.id);
	});

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
		await endsByRepetition(wait, early.id);
	});
});
