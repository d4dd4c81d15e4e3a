import type { INodeParameters } from 'n8n-workflow';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import { sandboxOf } from './support/sandbox.mts';
import type { Service } from './support/service.mts';
import { startService } from './support/service.mts';
import { anyList, anyObject, containing, textOf } from './support/matchers.mts';

let service: Service;
const sandbox = sandboxOf(() => service);

beforeAll(async () => {
	service = await startService();
});
beforeEach(() => sandbox.clear());
afterAll(() => service.stop());

const request = (operation: string, parameters: INodeParameters) =>
	sandbox.action({ resource: 'collectionRequest', operation, ...parameters });
const share = (parameters: INodeParameters) =>
	sandbox.action({ resource: 'share', operation: 'get', ...parameters });

/** The ID of a new request; with `isCompleted` it has a share. */
async function newRequest(isCompleted = false): Promise<string> {
	const { _id } = await runOk(request('create', { templateId: 't1' }));
	if (isCompleted) await sandbox.complete(textOf(_id));
	return textOf(_id);
}

/** The paths that were asked for after the create. */
const pathsAfterCreate = async () => (await sandbox.calls()).slice(1).map(({ url }) => url);

describe('Collection Request > Get', () => {
	test('gives the collection request and its guest link', async () => {
		const requestId = await newRequest();
		const found = await runOk(request('get', { requestId }));
		expect(found).toMatchObject({
			_id: requestId,
			shareStatus: 'open',
			guestLink: `${service.url}/request/${requestId}`,
		});
		expect(found).not.toHaveProperty('share');
		expect(await pathsAfterCreate()).toEqual([`/di/collection-request/${requestId}`]);
	});

	test('with Include Share gives null while there is none', async () => {
		const requestId = await newRequest();
		const found = await runOk(request('get', { requestId, options: { includeShare: true } }));
		expect(found.share).toBeNull();
		expect(await pathsAfterCreate()).toHaveLength(1);
	});

	test('with Include Share gives the whole share once there is one', async () => {
		const requestId = await newRequest(true);
		const found = await runOk(request('get', { requestId, options: { includeShare: true } }));
		expect(found.share).toMatchObject({
			_id: found.shareId,
			collectionRequestId: requestId,
			status: 'completed',
			otherFields: anyList(),
		});
		expect(await pathsAfterCreate()).toEqual([
			`/di/collection-request/${requestId}`,
			`/di/share/${textOf(found.shareId)}`,
		]);
	});

	test('says that an unknown ID may be of the other environment', async () => {
		const requestId = '000000000000000000000000';
		const error = await runError(request('get', { requestId }));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			itemIndex: 0,
			message: `The service does not know the collection request "${requestId}" (HTTP 404)`,
			description: containing('Wrong environment?'),
		});
	});
});

describe('Collection Request > Get Guest Link', () => {
	test('builds the link without any call', async () => {
		const found = await runOk(request('getGuestLink', { requestId: 'a/b' }));
		expect(found).toEqual({ requestId: 'a/b', guestLink: `${service.url}/request/a%2Fb` });
		expect(await sandbox.calls()).toEqual([]);
	});

	test('uses the collect URL of the chosen environment', async () => {
		const credential = {
			environment: 'staging',
			stagingBaseUrl: 'https://api.staging.example.com',
			stagingCollectUrl: 'https://collect.staging.example.com/form/',
		};
		const { guestLink } = await runOk({
			...request('getGuestLink', { requestId: '1' }),
			credential,
		});
		expect(guestLink).toBe('https://collect.staging.example.com/form/request/1');
	});
});

describe('Share > Get', () => {
	test('by the ID of its request gives the same as by its own ID', async () => {
		const requestId = await newRequest(true);
		const byRequest = await runOk(share({ shareBy: 'requestId', requestId }));
		const byId = await runOk(share({ shareBy: 'shareId', shareId: textOf(byRequest.shareId) }));
		expect(byRequest).toEqual(byId);
		expect(byId).toMatchObject({
			requestId,
			guestLink: `${service.url}/request/${requestId}`,
			status: 'completed',
		});
		expect(await runOk(share({ requestId }))).toEqual(byRequest);
	});

	test('is simplified unless switched off', async () => {
		const requestId = await newRequest(true);
		const simple = await runOk(share({ shareBy: 'requestId', requestId }));
		const whole = await runOk(share({ shareBy: 'requestId', requestId, simplify: false }));
		expect(simple).toMatchObject({ answers: anyObject(), templateId: 't1' });
		expect(simple).not.toHaveProperty('otherFields');
		expect(whole).toMatchObject({ otherFields: anyList(), template: { _id: 't1' } });
		expect(whole).not.toHaveProperty('answers');
	});

	test('by request ID fails while there is no share, and names the way that does not', async () => {
		const requestId = await newRequest();
		const error = await runError(share({ shareBy: 'requestId', requestId }));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			itemIndex: 0,
			message: `The collection request "${requestId}" has no share yet`,
			description: containing('Include Share'),
		});
		expect(await pathsAfterCreate()).toEqual([`/di/collection-request/${requestId}`]);
	});

	test('names the share that does not exist', async () => {
		const error = await runError(share({ shareBy: 'shareId', shareId: 'nothing' }));
		expect(error.message).toBe('The service does not know the share "nothing" (HTTP 404)');
	});
});

test('a wrong key is explained', async () => {
	const run = await runAction({
		...request('get', { requestId: '1' }),
		credential: { productionBaseUrl: service.url, apiKey: 'a-wrong-key-123' },
	});
	expect(run.error).toMatchObject({
		httpCode: '401',
		message: 'The API key or the token ID was refused (HTTP 401)',
		description: containing('Environment (production) in the credential'),
	});
	expectNoSecrets(run.run, ['a-wrong-key-123', 'sandbox-token-id']);
});
