import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL } from './support/storedCredential.mts';
import { runOk } from './support/engine.mts';
import { by, having, json, startFaultServer, type Answer } from './support/faultServer.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const request = { _id: 'r1', shareId: 's1', title: 'Title' };
const readable = having({
	'collection-request/r1': request,
	'share/s1': { _id: 's1', status: 'completed' },
});

/** One delivery to a trigger that includes these: its item, the paths it read, and how long it took. */
async function include(wanted: string[], answer: Answer, options: IDataObject = {}) {
	const { url, requests } = await startFaultServer(answer);
	const start = time.now();
	const { notify, started } = await startTriggerHost({
		parameters: { options: { include: wanted, ...options } },
		credential: { productionBaseUrl: url },
	});
	expect([await notify({ requestId: 'r1' }), started.length]).toEqual(['200 accepted', 1]);
	const [item = {}] = started;
	expect(JSON.stringify(item)).not.toContain(CREDENTIAL.apiKey);
	return { item, urls: requests.map((one) => one.url), took: time.now() - start };
}

const about = { requestId: 'r1', guestLink: 'https://collect.example.com/request/r1' };
const found = { ...about, ...request };
const share = { ...about, shareId: 's1', status: 'completed', answers: {}, participants: [] };
const readRequest = '/di/collection-request/r1';
const readShare = '/di/share/s1';
const both = ['collectionRequest', 'share'];

test.each<[string, string[], Answer, included: object, paths: string[]]>([
	['nothing', [], readable, {}, []],
	['the share alone', ['share'], readable, { share }, [readRequest, readShare]],
	['both', both, readable, { collectionRequest: found, share }, [readRequest, readShare]],
	[
		'null while no share exists',
		both,
		having({ 'collection-request/r1': { _id: 'r1' } }),
		{ collectionRequest: { ...about, _id: 'r1' }, share: null },
		[readRequest],
	],
	[
		'what could be read, and why the rest could not',
		both,
		having({ 'collection-request/r1': request }),
		{
			collectionRequest: found,
			includeError:
				'The service no longer has the share "s1" of the collection request "r1" (HTTP 404)',
		},
		[readRequest, readShare],
	],
	[
		'no trace of a fault that passes within the budget',
		['collectionRequest'],
		by((_request, index) => (index === 0 ? json(503, {}) : readable)),
		{ collectionRequest: found },
		[readRequest, readRequest],
	],
])('the item has %s', async (_title, wanted, answer, included, paths) => {
	const { item, urls } = await include(wanted, answer);
	expect(item).toMatchObject(about);
	const { collectionRequest, share, includeError } = item;
	expect({ collectionRequest, share, includeError }).toEqual(included);
	expect(urls).toEqual(paths);
});

test('the share as it came, if Simplify is off', async () => {
	const { item } = await include(['share'], readable, { simplify: false });
	expect(item.share).toMatchObject({ requestId: 'r1', _id: 's1' });
});

test('a read whose body goes on for ever ends with the same budget', async () => {
	const { item, took } = await include(['collectionRequest'], (response) => {
		response.writeHead(200).write('{"_id":');
		const trickling = setInterval(() => response.write(' '), 5);
		response.on('close', () => clearInterval(trickling));
		setImmediate(() => time.advance(3000));
	});
	expect([item.includeError, took]).toEqual(['The service did not respond in time', 3000]);
});

test('the second read has what the first has left of the budget', async () => {
	const answer: Answer = (response, received, index) => {
		time.advance(2000);
		if (!received.url.includes('/share/')) readable(response, received, index);
	};
	const { item, took } = await include(both, answer);
	const includeError = 'The service did not respond in time';
	expect([item, took]).toMatchObject([{ collectionRequest: request, includeError }, 4000]);
});

test('a pause that does not fit into the budget is not begun', async () => {
	const { item, took } = await include(['share'], json(429, {}, { 'retry-after': '3' }));
	expect(item.includeError).toBe('The service received too many requests (HTTP 429)');
	expect(took).toBe(0);
});

test('a delivery that comes before the response to its create: both succeed', async () => {
	const host = await startTriggerHost({ parameters: { triggerOn: 'anyStatus' } });
	const answer: Answer = (...received) =>
		void host
			.notify({ requestId: 'r1', shareStatus: 'open' })
			.then(() => json(201, { _id: 'r1' })(...received));
	const parameters = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
	expect((await runOk({ parameters, answer })).item).toMatchObject({ _id: 'r1' });
	expect(host.started).toMatchObject([{ requestId: 'r1', shareStatus: 'open' }]);
});
