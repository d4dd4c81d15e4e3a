import assert from 'node:assert/strict';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { newId } from '../support/delivery.mts';
import { n8nUrl } from '../support/environment.mts';
import { complete } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import { createWaiting, resumePath, runsOfNext, waitingName } from '../support/waiting.mts';
import type { Wait } from '../support/waiting.mts';
import { differs } from './support/differences.mts';
import { openOlderRest } from './support/olderRest.mts';

/** n8n looks for waits that are over only once a minute. */
const waitTracker = 150_000;

describe('Wait', () => {
	const rest = openOlderRest();
	let limited: Wait;
	let wait: Wait;
	const start = async (name: string, limit: Json = {}) => {
		const options = { rest, n8nUrl, name: `Compatibility: ${name}`, wait: limit };
		return await (await createWaiting(options)).startWaiting();
	};
	beforeAll(async () => {
		const limit = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'seconds' };
		limited = await start('limit', limit);
		wait = await start('notification');
	});

	test('Wait: a forged and another notification end nothing', async () => {
		const forged = wait.delivery();
		forged.body = Buffer.from(`${forged.body.toString()} `);
		const answer = await wait.send(forged);
		assert.deepEqual([answer.status, answer.text], [401, '{"status":"unverified"}']);
		const another = await wait.send(wait.delivery({ requestId: newId() }));
		assert.deepEqual([another.status, another.text], [200, '{"status":"ignored"}']);
		const open = await wait.send(wait.delivery({ shareStatus: 'open' }));
		assert.deepEqual([open.status, open.text], [200, '{"status":"waiting"}']);
		assert.equal(await wait.status(), 'waiting');
	});

	test('Wait: n8n checks the token of the resume URL', async () => {
		const url = new URL(wait.resumeUrl);
		if (url.search === '') return differs('no token: the signature alone protects it');
		url.search = '';
		assert.equal((await send(url.href, wait.delivery())).status, 401);
		assert.equal(await wait.status(), 'waiting');
	});

	test('Wait: only the path of the node is a resume URL', async () => {
		const url = new URL(wait.resumeUrl);
		url.pathname = url.pathname.replace(`/${resumePath}`, '');
		assert.equal((await send(url.href, wait.delivery())).status, 404);
		assert.equal(await wait.status(), 'waiting');
	});

	test('Wait: the notification ends it', async () => {
		await complete(wait.requestId);
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
		const [item = {}] = outputOf(execution, waitingName);
		assert.equal(item.requestId, wait.requestId);
		assert.equal(item.shareStatus, 'completed');
		assert.equal((item.notification as Json).requestId, wait.requestId);
		assert.equal(item.timedOut, false);
	});

	test('Wait: its limit ends it with timedOut', async () => {
		const execution = await limited.end(waitTracker);
		assert.equal(execution.status, 'success');
		const [item = {}] = outputOf(execution, waitingName);
		assert.equal(item.requestId, limited.requestId);
		assert.equal(item.timedOut, true);
		assert.equal(runsOfNext(execution), 1);
		assert.equal((await limited.send(limited.delivery())).status, 409);
	});
});
