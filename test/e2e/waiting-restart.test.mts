import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { startOwnN8n } from '../support/ownN8n.mts';
import { fillInForm, stateOf } from '../support/sandboxService.mts';
import { createWaiting, twoPeople, waitingName } from '../support/waiting.mts';

const n8n = await startOwnN8n('own-restart');
afterAll(() => n8n.stop());

test('Wait over a crash of n8n: the submission after the restart resumes it, one during the outage does not', async () => {
	const { rest, url: n8nUrl } = n8n;
	const created = await createWaiting({ rest, n8nUrl, name: 'E2E waiting: crash' });
	const wait = await created.startWaiting();
	await n8n.kill();
	await fillInForm(wait.guestLink, twoPeople[0], 'Bahnhofstrasse 1');
	await n8n.start();
	assert.equal(await wait.status(), 'waiting');

	await fillInForm(wait.guestLink, twoPeople[1], 'Seestrasse 2');
	const [item = {}] = outputOf(await wait.endsOnce(), waitingName);
	assert.deepEqual([item.requestId, item.shareStatus], [wait.requestId, 'completed']);
	const { deliveries } = await stateOf(wait.requestId);
	assert.deepEqual(
		deliveries.map(({ shareStatus, statusCode }) => [shareStatus, statusCode]),
		[
			['completed', 200],
			['open', null],
		],
		'newest first',
	);
});
