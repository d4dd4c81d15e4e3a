import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { newId, withBody } from '../../sandbox/testing/delivery.mts';
import { complete } from '../support/sandboxService.mts';
import { send } from '../../sandbox/testing/send.mts';
import { createWaiting, resumePath, waitingName } from '../support/waiting.mts';
import { waitTracker, type Wait } from '../support/waiting.mts';

let limited: Wait;
let wait: Wait;
const start = async (name: string, limit: Json = {}) => {
	const options = { name: `Compatibility: ${name}`, wait: limit };
	return await (await createWaiting(options)).startWaiting();
};
beforeAll(async () => {
	const limit = { limitWaitTime: true, resumeAmount: 10, resumeUnit: 'seconds' };
	limited = await start('limit', limit);
	wait = await start('notification');
});

test('Wait: a forged and another notification end nothing', async () => {
	const good = wait.delivery();
	for (const [delivery, answer] of [
		[withBody(good, `${good.body.toString()} `), '401 {"status":"unverified"}'],
		[wait.delivery({ requestId: newId() }), '200 {"status":"ignored"}'],
		[wait.delivery({ shareStatus: 'open' }), '200 {"status":"waiting"}'],
	] as const) {
		const { status, text } = await wait.send(delivery);
		expect(`${status} ${text}`).toBe(answer);
	}
	expect(await wait.status()).toBe('waiting');
});

test('Wait: n8n checks the token of the resume URL', async () => {
	const url = new URL(wait.resumeUrl);
	// n8n 2.11 and older have no token: there, the signature alone protects it.
	if (url.search === '') return;
	url.search = '';
	expect((await send(url.href, wait.delivery())).status).toBe(401);
	expect(await wait.status()).toBe('waiting');
});

test('Wait: only the path of the node is a resume URL', async () => {
	const url = new URL(wait.resumeUrl);
	url.pathname = url.pathname.replace(`/${resumePath}`, '');
	expect((await send(url.href, wait.delivery())).status).toBe(404);
	expect(await wait.status()).toBe('waiting');
});

const endOf = async (one: Wait, within?: number): Promise<Json> => {
	const [item = {}] = outputOf(await one.endsOnce(within), waitingName);
	expect(item.requestId).toBe(one.requestId);
	return item;
};

test('Wait: the notification ends it', async () => {
	await complete(wait.requestId);
	const item = await endOf(wait);
	expect(item.shareStatus).toBe('completed');
	expect((item.notification as Json).requestId).toBe(wait.requestId);
	expect(item.timedOut).toBe(false);
});

test('Wait: its limit ends it with timedOut', async () => {
	expect((await endOf(limited, waitTracker)).timedOut).toBe(true);
	expect((await limited.send(limited.delivery())).status).toBe(409);
});
