import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import { delivery, notification } from './support/delivery.mts';
import { runOk } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { actionAt } from './support/operations.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const REQUEST = { _id: 'r1', shareId: 's1', title: 'Title' };
const SHARE = { _id: 's1', status: 'completed' };
const ACCEPTED = '{"status":"accepted"}';

const resources =
	(request: IDataObject, share: IDataObject = SHARE): Answer =>
	(response, received, index) =>
		json(200, received.url.includes('/share/') ? share : request)(response, received, index);

/** One delivery to a trigger that includes this. */
async function include(wanted: string[], answer: Answer, options: IDataObject = {}) {
	return await withFaultServer(answer, async ({ url, requests }) => {
		const host = await startTriggerHost({
			parameters: { options: { include: wanted, ...options } } as never,
			credential: { productionBaseUrl: url },
		});
		const start = time.now();
		const answered = await host.post(
			delivery(notification({ requestId: 'r1' }), { timestamp: String(time.now()) }),
		);
		await host.stop();
		expect(host.thrown).toEqual([]);
		const [item = {}] = host.started;
		expect(JSON.stringify(item)).not.toContain(CREDENTIAL.apiKey);
		const urls = requests.map((request) => request.url);
		return { answered, item, urls, took: time.now() - start, started: host.started };
	});
}

test('nothing is read unless wanted', async () => {
	const { item, urls, answered } = await include([], resources(REQUEST));
	expect(answered.text).toBe(ACCEPTED);
	expect(urls).toEqual([]);
	for (const name of ['collectionRequest', 'share', 'includeError']) {
		expect(item).not.toHaveProperty(name);
	}
});

test('the collection request comes with its guest link', async () => {
	const { item, urls } = await include(['collectionRequest'], resources(REQUEST));
	const guestLink = `${CREDENTIAL.productionCollectUrl}/request/r1`;
	expect(item).toMatchObject({ guestLink, collectionRequest: { ...REQUEST, guestLink } });
	expect(item).not.toHaveProperty('share');
	expect(urls).toEqual(['/di/collection-request/r1']);
});

test('the share alone is found through its collection request', async () => {
	const { item, urls } = await include(['share'], resources(REQUEST));
	const guestLink = `${CREDENTIAL.productionCollectUrl}/request/r1`;
	expect(item.share).toEqual({
		requestId: 'r1',
		guestLink,
		shareId: 's1',
		status: 'completed',
		answers: {},
		participants: [],
	});
	expect(item).not.toHaveProperty('collectionRequest');
	expect(urls).toEqual(['/di/collection-request/r1', '/di/share/s1']);
});

test('the share as it came, if Simplify is off', async () => {
	const { item } = await include(['share'], resources(REQUEST), { simplify: false });
	expect(item.share).toMatchObject({ requestId: 'r1', ...SHARE });
});

test('while no share exists it is null', async () => {
	const { item, urls } = await include(['collectionRequest', 'share'], resources({ _id: 'r1' }));
	expect(item.share).toBeNull();
	expect(item).not.toHaveProperty('includeError');
	expect(urls).toHaveLength(1);
});

test('a read that fails still starts the workflow, and the item says why', async () => {
	const answer: Answer = (response, received, index) =>
		json(received.url.endsWith('/r1') ? 200 : 404, REQUEST)(response, received, index);
	const { item, started, answered } = await include(['collectionRequest', 'share'], answer);
	expect(answered.text).toBe(ACCEPTED);
	expect(started).toHaveLength(1);
	expect(item.collectionRequest).toMatchObject(REQUEST);
	expect(item).not.toHaveProperty('share');
	expect(item.includeError).toBe('The service does not know the share "s1" (HTTP 404)');
});

test('a read that hangs ends with the budget of 3 seconds', async () => {
	const { item, took, urls } = await include(['collectionRequest', 'share'], () =>
		time.advance(3000),
	);
	expect(item).toMatchObject({ includeError: 'The service did not respond in time' });
	expect(took).toBeLessThanOrEqual(3000);
	expect(urls).toHaveLength(1);
});

test('the second read has what the first has left of the budget', async () => {
	const answer: Answer = (response, received, index) => {
		time.advance(2000);
		if (!received.url.includes('/share/')) json(200, REQUEST)(response, received, index);
	};
	const { item, took } = await include(['collectionRequest', 'share'], answer);
	expect(item).toMatchObject({ collectionRequest: REQUEST });
	expect(item.includeError).toBe('The service did not respond in time');
	expect(took).toBe(4000);
});

test('a pause that does not fit into the budget is not begun', async () => {
	const { item, took } = await include(['share'], json(429, {}, { 'retry-after': '3' }));
	expect(item.includeError).toBe('The service asks for fewer requests at a time (HTTP 429)');
	expect(took).toBe(0);
});

test('a fault that passes within the budget leaves no trace', async () => {
	const answer: Answer = (response, received, index) =>
		(index === 0 ? json(503, {}) : resources(REQUEST))(response, received, index);
	const { item } = await include(['collectionRequest'], answer);
	expect(item.collectionRequest).toMatchObject(REQUEST);
	expect(item).not.toHaveProperty('includeError');
});

test('a delivery that comes before the response to its create: both go their way', async () => {
	const host = await startTriggerHost({ parameters: { triggerOn: 'anyStatus' } });
	const answer: Answer = (response, received, index) => {
		void host
			.post(
				delivery(notification({ requestId: 'r1', shareStatus: 'open' }), {
					timestamp: String(time.now()),
				}),
			)
			.then(() => json(201, { _id: 'r1' })(response, received, index));
	};
	await withFaultServer(answer, async ({ url }) => {
		expect(await runOk(actionAt('create', url))).toMatchObject({ _id: 'r1' });
	});
	await host.stop();
	expect(host.started).toMatchObject([{ requestId: 'r1', shareStatus: 'open' }]);
});
