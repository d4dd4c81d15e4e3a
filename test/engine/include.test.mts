import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL } from './support/storedCredential.mts';
import { payload, signed } from '../support/delivery.mts';
import { runOk } from './support/engine.mts';
import { by, having, json, startFaultServer, type Answer } from './support/faultServer.mts';
import { CREATE } from './support/operations.mts';
import { deliver, startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const REQUEST = { _id: 'r1', shareId: 's1', title: 'Title' };
const SHARE = { _id: 's1', status: 'completed' };
const READABLE = having({ 'collection-request/r1': REQUEST, 'share/s1': SHARE });
const REQ = 'collectionRequest';
const BOTH = [REQ, 'share'];
const guestLink = `${CREDENTIAL.productionCollectUrl}/request/r1`;

const signedNow = (changes: IDataObject) =>
	signed({ body: payload({ requestId: 'r1', ...changes }), timestamp: String(time.now()) });

/** One delivery to a trigger that includes these: its item, the paths it read, and how long it took. */
async function include(wanted: string[], answer: Answer, options: IDataObject = {}) {
	const { url, requests } = await startFaultServer(answer);
	const start = time.now();
	const { responses, started } = await deliver([signedNow({})], {
		parameters: { options: { include: wanted, ...options } },
		credential: { productionBaseUrl: url },
	});
	expect(responses).toEqual(['200 accepted']);
	expect(started).toHaveLength(1);
	const [item = {}] = started;
	expect(JSON.stringify(item)).not.toContain(CREDENTIAL.apiKey);
	return { item, urls: requests.map((request) => request.url), took: time.now() - start };
}

const nothing = { collectionRequest: undefined, share: undefined, includeError: undefined };
const about = { requestId: 'r1', guestLink };
const found = { ...about, ...REQUEST };
const simplified = { ...about, shareId: 's1', status: 'completed', answers: {}, participants: [] };
const readRequest = '/di/collection-request/r1';
const readShare = '/di/share/s1';

test.each<[string, string[], Answer, object, string[]]>([
	['nothing', [], READABLE, {}, []],
	['the collection request', [REQ], READABLE, { [REQ]: found }, [readRequest]],
	['the share alone', ['share'], READABLE, { share: simplified }, [readRequest, readShare]],
	[
		'null while no share exists',
		BOTH,
		having({ 'collection-request/r1': { _id: 'r1' } }),
		{ [REQ]: { ...about, _id: 'r1' }, share: null },
		[readRequest],
	],
	[
		'what could be read, and why the rest could not',
		BOTH,
		having({ 'collection-request/r1': REQUEST }),
		{ [REQ]: found, includeError: 'The service does not know the share "s1" (HTTP 404)' },
		[readRequest, readShare],
	],
	[
		'no trace of a fault that passes within the budget',
		[REQ],
		by((_request, index) => (index === 0 ? json(503, {}) : READABLE)),
		{ [REQ]: found },
		[readRequest, readRequest],
	],
])('the item has %s', async (_title, wanted, answer, included, paths) => {
	const { item, urls } = await include(wanted, answer);
	expect(item).toMatchObject(about);
	const { collectionRequest, share, includeError } = item;
	expect({ collectionRequest, share, includeError }).toEqual({ ...nothing, ...included });
	expect(urls).toEqual(paths);
});

test('the share as it came, if Simplify is off', async () => {
	const { item } = await include(['share'], READABLE, { simplify: false });
	expect(item.share).toMatchObject({ requestId: 'r1', ...SHARE });
});

test('a read whose body goes on for ever ends with the same budget', async () => {
	const { item, took } = await include([REQ], (response) => {
		response.writeHead(200).write('{"_id":');
		const trickling = setInterval(() => response.write(' '), 5);
		response.on('close', () => clearInterval(trickling));
		setImmediate(() => time.advance(3000));
	});
	expect(item.includeError).toMatch(/^The service did not respond in time/);
	expect(took).toBe(3000);
});

test('the second read has what the first has left of the budget', async () => {
	const answer: Answer = (response, received, index) => {
		time.advance(2000);
		if (!received.url.includes('/share/')) READABLE(response, received, index);
	};
	const { item, took } = await include(BOTH, answer);
	const includeError = 'The service did not respond in time';
	expect(item).toMatchObject({ collectionRequest: REQUEST, includeError });
	expect(took).toBe(4000);
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
			.post(signedNow({ shareStatus: 'open' }))
			.then(() => json(201, { _id: 'r1' })(...received));
	expect((await runOk({ parameters: CREATE, answer })).item).toMatchObject({ _id: 'r1' });
	expect(host.started).toMatchObject([{ requestId: 'r1', shareStatus: 'open' }]);
});
