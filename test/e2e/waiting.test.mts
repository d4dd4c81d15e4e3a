import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId, withHeader } from '../support/delivery.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { countExecutions } from '../support/executions.mts';
import { assertBegins } from '../support/items.mts';
import { callApi, complete, fillInForm, forge } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import {
	createName,
	createWaiting,
	nextName,
	resumePath,
	runsOfNext,
} from '../support/waiting.mts';
import { twoPeople, waitingName, type Wait, type WaitingWorkflow } from '../support/waiting.mts';
import { setNode, splitNode } from '../support/workflows.mts';

describe('Wait', () => {
	const rest = openRest();
	const create = (name: string, wait = {}) =>
		createWaiting({ rest, n8nUrl, name: `E2E waiting: ${name}`, wait });

	const resumesOnce = async ({ workflow }: WaitingWorkflow, wait: Wait) => {
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
		assert.equal(await countExecutions(rest, workflow.id), 1);
		return execution;
	};

	test('goes on waiting after the first guest, and is ended by the last one', async () => {
		const created = await create('two guests');
		const wait = await created.startWaiting();
		await fillInForm(wait.guestLink, twoPeople[0], 'Bahnhofstrasse 1');
		const open = await wait.answered('open');
		assert.deepEqual([open.statusCode, open.answer], [200, '{"status":"waiting"}']);
		assert.equal(await wait.status(), 'waiting');

		await fillInForm(wait.guestLink, twoPeople[1], 'Seestrasse 2');
		const completed = await wait.answered('completed');
		assert.deepEqual([completed.statusCode, completed.answer], [200, '{"status":"accepted"}']);
		const execution = await resumesOnce(created, wait);
		const [item = {}, ...more] = outputOf(execution, waitingName);
		assert.equal(more.length, 0);
		const { notification, ...rested } = item as { notification: { timestamp: string } };
		const { timestamp, ...facts } = notification;
		assert.match(timestamp, /^\d{13}$/);
		assert.deepEqual(facts, {
			event: 'collection_request.updated',
			requestId: wait.requestId,
			shareStatus: 'completed',
			webhookIdentifier: created.identifier,
			deliveryId: completed.deliveryId,
		});
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.deepEqual(rested, {
			...(await callApi(`/di/collection-request/${wait.requestId}`)),
			requestId: wait.requestId,
			guestLink: wait.guestLink,
			shareStatus: 'completed',
			timedOut: false,
		});
		assert.equal(outputOf(execution, nextName)[0]?.seen, wait.requestId);
	});

	test('a forged and a stale notification are refused, another one ignored: none ends it', async () => {
		const created = await create('refused');
		const wait = await created.startWaiting();
		const { statusCode, answer } = await forge(wait.requestId);
		assert.deepEqual([statusCode, answer], [401, '{"status":"unverified"}']);

		const another = await wait.send(wait.delivery({ requestId: newId() }));
		assert.deepEqual([another.status, another.text], [200, '{"status":"ignored"}']);

		const stale = await wait.send(wait.delivery({}, String(Date.now() - 301_000)));
		assert.deepEqual([stale.status, stale.text], [401, '{"status":"unverified"}']);
		const fresh = withHeader(wait.delivery(), 'X-SVC-Timestamp', String(Date.now() + 1000));
		assert.equal((await wait.send(fresh)).status, 401);

		assert.equal(await wait.status(), 'waiting');
		await complete(wait.requestId);
		await resumesOnce(created, wait);
	});

	test('n8n itself refuses a resume URL with a wrong token or with none', async () => {
		const created = await create('wrong token');
		const wait = await created.startWaiting();
		const url = new URL(wait.resumeUrl);
		const token = url.searchParams.get('signature') ?? '';
		assert.match(token, /^[0-9a-f]{32,}$/);
		const wrong = ['', token.slice(1), token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))];
		for (const signature of wrong) {
			url.searchParams.set('signature', signature);
			const answer = await send(url.href, wait.delivery());
			assert.equal(answer.status, 401, answer.text);
			assert.match(answer.text, /Invalid token/);
		}
		url.search = '';
		assert.equal((await send(url.href, wait.delivery())).status, 401);
		assert.equal(await wait.status(), 'waiting');
		await wait.send(wait.delivery());
		await resumesOnce(created, wait);
	});

	test('and one with no path of the node, with another one, or by GET', async () => {
		const created = await create('wrong path');
		const wait = await created.startWaiting();
		const { pathname } = new URL(wait.resumeUrl);
		assert.equal(pathname, `/webhook-waiting/${wait.executionId}/${resumePath}`);
		for (const suffix of ['', '/', '/default', `/${resumePath}2`]) {
			const url = new URL(wait.resumeUrl);
			url.pathname = pathname.replace(`/${resumePath}`, suffix);
			const answer = await send(url.href, wait.delivery());
			assert.equal(answer.status, 404, `${suffix}: ${answer.text}`);
		}
		assert.equal((await fetch(wait.resumeUrl)).status, 404);
		assert.equal(await wait.status(), 'waiting');
		await wait.send(wait.delivery());
		await resumesOnce(created, wait);
	});

	for (const count of [2, 20, 50]) {
		test(`${count} notifications at the same moment end it once`, async () => {
			const created = await create(`${count} at once`);
			const wait = await created.startWaiting();
			const deliveries = Array.from({ length: count }, (_, index) => wait.delivery({ index }));
			const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
			const counts = new Map<string, number>();
			for (const { status, text } of answers) {
				const answer = `${status} ${text}`;
				counts.set(answer, (counts.get(answer) ?? 0) + 1);
			}
			const statuses = answers.map(({ status }) => status).sort();
			assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
			const execution = await resumesOnce(created, wait);
			assert.equal(outputOf(execution, waitingName).length, 1);
			const late = await wait.send(wait.delivery({ late: true }));
			assert.equal(late.status, 409, late.text);
			assert.equal(await countExecutions(rest, created.workflow.id), 1);
			assert.equal((await fetch(`${n8nUrl}/healthz/readiness`)).status, 200);
		});
	}

	test('a status of your own ends the wait as well', async () => {
		const created = await create('own status', { waitForStatuses: ['reviewed', 'declined'] });
		const wait = await created.startWaiting();
		const answer = await wait.send(wait.delivery());
		assert.deepEqual([answer.status, answer.text], [200, '{"status":"waiting"}']);
		await wait.send(wait.delivery({ shareStatus: 'declined' }));
		const [item = {}] = outputOf(await resumesOnce(created, wait), waitingName);
		assert.equal(item.shareStatus, 'declined');
	});

	test('five requests, one of them for two people: all items once the last is complete', async () => {
		const emails = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `${name}@x.org`);
		// The third item invites two people, who come out as an item each, with one request ID.
		const groups = [[0], [1], [2, 3], [4], [5]].map((people) => ({
			people: people.map((index) => ({ email: emails[index] })),
		}));
		const created = await createWaiting({
			...{ rest, n8nUrl, name: 'E2E waiting: five together', body: { groups } },
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
			const { statusCode, answer } = await one.answered('completed');
			assert.deepEqual([statusCode, answer], [200, '{"status":"waiting"}']);
			assert.equal(await one.status(), 'waiting');
		}
		await complete(last.requestId);
		const { deliveryId, answer } = await last.answered('completed');
		assert.equal(answer, '{"status":"accepted"}');
		const execution = await resumesOnce(created, last);

		const items = outputOf(execution, waitingName);
		const inOrder = [0, 1, 2, 2, 3, 4].map((index) => waiting[index]?.requestId);
		assert.deepEqual(
			items.map(({ requestId }) => requestId),
			inOrder,
		);
		for (const item of items) {
			assert.equal(item.shareStatus, 'completed');
			assert.equal(item.timedOut, false);
			const notified = item.notification as { deliveryId: string } | null;
			const expected = item.requestId === last.requestId ? deliveryId : undefined;
			assert.equal(notified?.deliveryId, expected);
		}
		assert.deepEqual(
			outputOf(execution, nextName).map(({ seen }) => seen),
			emails,
		);
	});
});
