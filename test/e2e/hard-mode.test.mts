import { outputOf } from '../../sandbox/n8n/types.mts';
import { serviceUrl } from '../support/environment.mts';
import { complete, delivered } from '../support/sandboxService.mts';
import { createWaiting } from '../support/waiting.mts';

async function setHardMode(on: boolean): Promise<void> {
	const response = await fetch(`${serviceUrl}/sandbox/hard-mode`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ on }),
	});
	expect(response.status).toBe(200);
}

beforeAll(() => setHardMode(true));
afterAll(() => setHardMode(false));

test('notifications that are strange, repeated and out of order end a wait once', async () => {
	const { startWaiting } = await createWaiting({ name: 'E2E hard mode' });
	const wait = await startWaiting();
	await complete(wait.requestId);
	const execution = await wait.endsOnce();
	const { requestId, guestLink } = wait;
	const item = { requestId, guestLink, shareStatus: 'completed', isReached: true };
	expect(outputOf(execution, 'Wait')).toMatchObject([item]);

	const sent = await delivered(requestId, 11);
	expect(sent.slice(0, 3).map(({ shareStatus, answer }) => [shareStatus, answer])).toEqual([
		['in_review', '{"status":"waiting"}'],
		['', '{"status":"ignored"}'],
		['completed', '{"status":"accepted"}'],
	]);
	// What comes later finds an execution that goes on, or has ended.
	expect(new Set(sent.slice(3).map(({ statusCode }) => statusCode))).toEqual(new Set([409]));
	expect(await wait.status()).toBe('success');
});
