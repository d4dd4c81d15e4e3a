import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, runsOf, type Json } from '../../sandbox/n8n/types.mts';
import { newId, withHeader } from '../../sandbox/testing/delivery.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { ada, answered, assertBegins, ben, complete } from '../support/sandboxService.mts';
import { fillInForm, forge, readApi, redeliver } from '../support/sandboxService.mts';
import type { Delivery } from '../../sandbox/service/types.mts';
import { send, type Answer } from '../../sandbox/testing/send.mts';
import { until } from '../support/until.mts';
import { createWaiting, nextName, resumePath, waits } from '../support/waiting.mts';
import { waitingName, waitTracker } from '../support/waiting.mts';
import type { Wait, WaitingOptions } from '../support/waiting.mts';
import {
	callNode,
	calledNode,
	chain,
	node,
	setNode,
	splitNode,
} from '../../sandbox/n8n/workflows.mts';

const front = await openFront();
const create = (name: string, options: Partial<WaitingOptions> = {}) => {
	const fields = { productionBaseUrl: front.url };
	return createWaiting({ name: `E2E waiting: ${name}`, fields, ...options });
};

const saidTo = ({ statusCode, answer }: Delivery) => `${statusCode} ${answer}`;
const said = ({ status, text }: Answer) => `${status} ${text}`;
const accepted = '200 {"status":"accepted"}';
const goesOn = '200 {"status":"waiting"}';
const ignored = '200 {"status":"ignored"}';
const unverified = '401 {"status":"unverified"}';

/** n8n ends expired waits only once a minute: this one expires while the other tests run. */
let offices: [a: Wait, b: Wait];
beforeAll(async () => {
	const created = await create('limit', {
		wait: {
			...{ limitWaitTime: true, resumeUnit: 'seconds' },
			resumeAmount: '={{ $runIndex === 0 ? 10 : 900 }}',
		},
		follow: ({ create, wait }) => [
			...[splitNode('body.offices'), create, wait],
			setNode(nextName, 'office', "={{ $('Items').item.json.office }}"),
			setNode('Reminder', 'reminded', "={{ $('Items').item.json.office }}"),
		],
		paths: ['Webhook -> Items -> Create -> Wait -> Next', 'Wait/1 -> Reminder -> Wait'],
	});
	const executionId = await created.start({ offices: [{ office: 'A' }, { office: 'B' }] });
	offices = (await created.requests(executionId)) as [Wait, Wait];
});

/**
 * Completes the collection request, which the service reports together with its opening. Either of
 * the two notifications may end the wait.
 */
const end = async (wait: Wait) => {
	await complete(wait.requestId);
	return await wait.answered('completed');
};

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
		...{ requestId, guestLink, shareStatus: 'completed', isReached: true, timedOut: false },
		notification: {
			...{ event: 'collection_request.updated', requestId, guestLink, shareStatus: 'completed' },
			...{ webhookIdentifier: created.identifier, timestamp, notifiedAt },
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

test('n8n itself refuses a resume URL with a wrong token or none, or with another path', async () => {
	const wait = await (await create('wrong URL')).startWaiting();
	const right = new URL(wait.resumeUrl);
	expect(right.pathname).toBe(`/webhook-waiting/${wait.executionId}/${resumePath}`);
	const token = right.searchParams.get('signature') ?? '';
	expect(token).toMatch(/^[0-9a-f]{32,}$/);
	const another = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
	for (const search of ['', token.slice(1), another].map((wrong) => `?signature=${wrong}`)) {
		const { href } = Object.assign(new URL(right), { search });
		const { status, text } = await send(href, wait.delivery());
		expect(status).toBe(401);
		expect(text).toMatch(/Invalid token/);
	}
	const untold = Object.assign(new URL(right), { search: '' });
	expect((await send(untold.href, wait.delivery())).status).toBe(401);
	for (const suffix of ['', '/', '/default', `/${resumePath}2`]) {
		const pathname = right.pathname.replace(`/${resumePath}`, suffix);
		const { href } = Object.assign(new URL(right), { pathname });
		expect((await send(href, wait.delivery())).status).toBe(404);
	}
	expect((await fetch(wait.resumeUrl)).status).toBe(404);
	expect(await wait.status()).toBe('waiting');
	await wait.send(wait.delivery());
	await wait.endsOnce();
});

for (const count of [2, 50]) {
	test(`${count} notifications at the same moment end it once`, async () => {
		const wait = await (await create(`${count} at once`)).startWaiting();
		const deliveries = Array.from({ length: count }, (_, index) => wait.delivery({ index }));
		const answers = await Promise.all(deliveries.map((delivery) => wait.send(delivery)));
		const all = answers.map(said);
		expect(all.filter((one) => one === accepted).length).toBe(1);
		expect(outputOf(await wait.endsOnce(), waitingName).length).toBe(1);
		const late = await wait.send(wait.delivery({ late: true }));
		expect(late.status).toBe(409);
		await wait.endsOnce();
		expect((await fetch(`${n8nUrl}/healthz/readiness`)).status).toBe(200);
	});
}

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

test("a late notification does not end a Wait node of n8n's own", async () => {
	const theirName = 'Wait of n8n';
	const parameters = { resume: 'webhook', httpMethod: 'POST', options: {} };
	const theirs = node(theirName, 'n8n-nodes-base.wait', 1.1, parameters);
	const created = await create("n8n's own", {
		follow: ({ create, wait, next }) => [
			...[create, wait, { ...theirs, webhookId: randomUUID() }, next],
		],
	});
	const wait = await created.startWaiting();
	const { id: late } = await end(wait);
	await until("n8n's own node waits", async () => {
		if ((await wait.status()) !== 'waiting') return false;
		const { data } = await rest.getExecution(wait.executionId);
		return data.resultData.lastNodeExecuted === theirName;
	});
	const again = await redeliver(late, false);
	expect(again.statusCode).toBe(404);
	expect(await wait.status()).toBe('waiting');

	const url = new URL(wait.resumeUrl);
	url.pathname = `/webhook-waiting/${wait.executionId}`;
	expect((await fetch(url, { method: 'POST' })).status).toBe(200);
	await wait.endsOnce();
});

test('in a sub-workflow: it goes on, and so does the workflow that called it', async () => {
	const created = await create('sub-workflow', {
		follow: async ({ create, wait, next }) => {
			const child = chain('E2E waiting: called', [calledNode(), create, wait]);
			const { id } = await publish(rest, await rest.createWorkflow(child));
			const workflowInputs = { mappingMode: 'defineBelow', value: {} };
			return [callNode(id, { workflowInputs }), next];
		},
	});
	const wait = await created.startWaiting();
	await end(wait);
	const [{ seen, shareStatus } = {}] = outputOf(await wait.endsOnce(), nextName);
	expect([seen, shareStatus]).toStrictEqual([wait.requestId, 'completed']);
});

test('a cancelled execution stays cancelled: notifications are refused', async () => {
	const wait = await (await create('cancelled')).startWaiting();
	await rest.send('POST', `/rest/executions/${wait.executionId}/stop`);
	expect(await wait.status()).toBe('canceled');
	expect((await wait.send(wait.delivery())).status).toBe(409);
	expect(await wait.status()).toBe('canceled');
});

describe('a limit', () => {
	const reading = async () => await rest.getExecution(offices[0].executionId);
	const timedOut = ({ requestId, guestLink }: Wait) => ({ requestId, guestLink, timedOut: true });

	test('leads all by Timed Out, whatever has happened since the wait began', async () => {
		const [a, b] = offices;
		await complete(a.requestId);
		expect(saidTo(await a.answered('completed'))).toBe(goesOn);
		const isBack = async () => runsOf(await reading(), 'Reminder').length > 0;
		await until('it has timed out', isBack, waitTracker);
		await waits(a.executionId);
		const execution = await reading();
		const [first] = runsOf(execution, waitingName);
		expect(first).toStrictEqual([[], [timedOut(a), timedOut(b)]]);
		expect(outputOf(execution, 'Reminder').map(({ reminded }) => reminded)).toEqual(['A', 'B']);
	});

	test('back in Wait, they are awaited again and leave by Done, each with its own data', async () => {
		const [a, b] = offices;
		await end(b);
		const execution = await a.endsOnce();
		const [done = [], ...more] = runsOf(execution, waitingName).at(-1) ?? [];
		expect(more).toStrictEqual([[]]);
		const isReported = ({ notification }: Json) => notification !== null;
		expect(done.map((item) => [item.requestId, item.timedOut, isReported(item)])).toEqual([
			[a.requestId, false, false],
			[b.requestId, false, true],
		]);
		const [seen = []] = runsOf(execution, nextName)[0] ?? [];
		expect(seen.map(({ office }) => office)).toEqual(['A', 'B']);
		expect((await a.send(a.delivery())).status).toBe(409);
		await a.endsOnce();
	});
});
