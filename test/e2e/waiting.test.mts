import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId, withHeader } from './support/delivery.mts';
import { n8nUrl, openRest } from './support/environment.mts';
import { countExecutions } from './support/executions.mts';
import { assertBegins } from './support/items.mts';
import { callApi, complete, fillInForm, forge, stateOf } from './support/sandboxService.mts';
import { send } from './support/send.mts';
import { until } from './support/until.mts';
import { createWaiting, nextName, runsOfNext, twoPeople } from './support/waiting.mts';
import { waitingName, type Wait, type WaitingWorkflow } from './support/waiting.mts';

void describe('Create and Wait', () => {
	const rest = openRest();
	const create = (name: string, parameters = {}) =>
		createWaiting({ rest, n8nUrl, name: `E2E waiting: ${name}`, parameters });

	const resumesOnce = async ({ workflow }: WaitingWorkflow, wait: Wait) => {
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
		assert.equal(await countExecutions(rest, workflow.id), 1);
		return execution;
	};

	test('goes on waiting after the first guest, and is resumed by the last one', async () => {
		const created = await create('two guests');
		const wait = await created.startWaiting();
		await fillInForm(wait.guestLink, twoPeople[0], 'Bahnhofstrasse 1');
		const answered = (shareStatus: string) =>
			until(`the service has its answer to "${shareStatus}"`, async () => {
				const { deliveries } = await stateOf(wait.requestId);
				return deliveries.find(
					(sent) => sent.shareStatus === shareStatus && sent.statusCode !== null,
				);
			});
		const open = await answered('open');
		assert.deepEqual([open.statusCode, open.answer], [200, '{"status":"waiting"}']);
		assert.equal(await wait.status(), 'waiting');

		await fillInForm(wait.guestLink, twoPeople[1], 'Seestrasse 2');
		const completed = await answered('completed');
		assert.deepEqual([completed.statusCode, completed.answer], [200, '{"status":"accepted"}']);
		const execution = await resumesOnce(created, wait);
		const [item = {}] = outputOf(execution, waitingName);
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
		});
		assert.equal(outputOf(execution, nextName)[0]?.seen, wait.requestId);
	});

	test('a forged, a foreign and a stale notification are refused and resume nothing', async () => {
		const created = await create('refused');
		const wait = await created.startWaiting();
		const { statusCode, answer } = await forge(wait.requestId);
		assert.deepEqual([statusCode, answer], [401, '{"status":"unverified"}']);

		const foreign = await wait.send(wait.delivery({ requestId: newId() }));
		assert.deepEqual([foreign.status, foreign.text], [400, '{"status":"not for this request"}']);

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
		assert.equal(await wait.status(), 'waiting');
		await wait.send(wait.delivery());
		await resumesOnce(created, wait);
	});

	for (const count of [2, 5]) {
		test(`${count} notifications at the same moment resume it once`, async (context) => {
			const created = await create(`${count} at once`);
			const wait = await created.startWaiting();
			const deliveries = Array.from({ length: count }, (_, index) => wait.delivery({ index }));
			const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
			const statuses = answers.map(({ status }) => status).sort();
			const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
			context.diagnostic([...texts].join('; '));
			assert.equal(statuses.filter((status) => status === 200).length, 1, [...texts].join());
			await resumesOnce(created, wait);
			const late = await wait.send(wait.delivery({ late: true }));
			assert.equal(late.status, 409, late.text);
			assert.equal(await countExecutions(rest, created.workflow.id), 1);
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
});
