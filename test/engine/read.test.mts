import type { INodeParameters } from 'n8n-workflow';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import { anyList, anyObject, containing, textOf } from '../support/matchers.mts';
import { CREATE, READ } from './support/operations.mts';
import { useSandbox } from './support/sandbox.mts';

const sandbox = useSandbox();

const request = (operation: string, parameters: INodeParameters) =>
	sandbox.action({ resource: 'collectionRequest', operation, ...parameters });
const share = (parameters: INodeParameters) =>
	sandbox.action({ resource: 'share', operation: 'get', ...parameters });
const itemOf = async (run: ReturnType<typeof request>) => (await runOk(run)).item;

/** The ID of a new request; with `isCompleted` it has a share. */
async function newRequest(isCompleted = false): Promise<string> {
	const { _id } = await itemOf(sandbox.action(CREATE));
	if (isCompleted) await sandbox.complete(textOf(_id));
	return textOf(_id);
}

/** The paths that were asked for after the create. */
const pathsAfterCreate = async () => (await sandbox.calls()).slice(1).map(({ url }) => url);

describe('Collection Request > Get', () => {
	const includeShare = { options: { includeShare: true } };

	test('gives the collection request and its guest link', async () => {
		const requestId = await newRequest();
		const found = await itemOf(request('get', { requestId }));
		const guestLink = `${sandbox.url()}/request/${requestId}`;
		expect(found).toMatchObject({ _id: requestId, shareStatus: 'open', guestLink });
		expect(found).not.toHaveProperty('share');
		expect(await pathsAfterCreate()).toEqual([`/di/collection-request/${requestId}`]);
	});

	test('with Include Share gives null while there is none', async () => {
		const requestId = await newRequest();
		const found = await itemOf(request('get', { requestId, ...includeShare }));
		expect(found.share).toBeNull();
		expect(await pathsAfterCreate()).toHaveLength(1);
	});

	test('with Include Share gives the whole share once there is one', async () => {
		const requestId = await newRequest(true);
		const found = await itemOf(request('get', { requestId, ...includeShare }));
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
		expect(await runError(request('get', { requestId }))).toMatchObject({
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
		const found = await itemOf(request('getGuestLink', { requestId: 'a/b' }));
		expect(found).toEqual({ requestId: 'a/b', guestLink: `${sandbox.url()}/request/a%2Fb` });
		expect(await sandbox.calls()).toEqual([]);
	});

	test('uses the collect URL of the chosen environment', async () => {
		const { guestLink } = await itemOf({
			...request('getGuestLink', { requestId: '1' }),
			credential: {
				environment: 'staging',
				stagingBaseUrl: 'https://api.staging.example.com',
				stagingCollectUrl: 'https://collect.staging.example.com/form/',
			},
		});
		expect(guestLink).toBe('https://collect.staging.example.com/form/request/1');
	});
});

describe('Share > Get', () => {
	test('by the ID of its request gives the same as by its own ID', async () => {
		const requestId = await newRequest(true);
		const byRequest = await itemOf(share({ shareBy: 'requestId', requestId }));
		const byId = await itemOf(share({ shareBy: 'shareId', shareId: textOf(byRequest.shareId) }));
		expect(byRequest).toEqual(byId);
		const guestLink = `${sandbox.url()}/request/${requestId}`;
		expect(byId).toMatchObject({ requestId, guestLink, status: 'completed' });
		expect(await itemOf(share({ requestId }))).toEqual(byRequest);
	});

	test('is simplified unless switched off', async () => {
		const requestId = await newRequest(true);
		const simple = await itemOf(share({ requestId }));
		expect(simple).toMatchObject({ answers: anyObject(), templateId: 't1' });
		expect(simple).not.toHaveProperty('otherFields');
		const whole = await itemOf(share({ requestId, simplify: false }));
		expect(whole).toMatchObject({ otherFields: anyList(), template: { _id: 't1' } });
		expect(whole).not.toHaveProperty('answers');
	});

	test('by request ID fails while there is no share, and names the way that does not', async () => {
		const requestId = await newRequest();
		expect(await runError(share({ shareBy: 'requestId', requestId }))).toMatchObject({
			name: 'NodeOperationError',
			itemIndex: 0,
			message: `The collection request "${requestId}" has no share yet`,
			description: containing('Include Share'),
		});
		expect(await pathsAfterCreate()).toEqual([`/di/collection-request/${requestId}`]);
	});
});

test('a wrong key is explained', async () => {
	const credential = { productionBaseUrl: sandbox.url(), apiKey: 'a-wrong-key-123' };
	const { error, run } = await runAction({ parameters: READ, credential });
	expect(error).toMatchObject({
		httpCode: '401',
		message: 'The API key or the token ID was refused (HTTP 401)',
		description: containing('Environment (production) in the credential'),
	});
	expectNoSecrets(run, ['a-wrong-key-123', 'sandbox-token-id']);
});
