import type { INodeParameters } from 'n8n-workflow';
import { payload, signed } from '../support/delivery.mts';
import { runError } from './support/engine.mts';
import { having, json, startFaultServer } from './support/faultServer.mts';
import { READ } from './support/operations.mts';
import { deliver } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { waiting } from './support/waitNode.mts';

// What the service responds is about what was asked, e.g. not out of a cache that mixes things up.

const time = useVirtualTime();

const OTHER_REQUEST = json(200, { _id: 'other', shareStatus: 'completed', title: 'of others' });
const request = { _id: 'r1', shareStatus: 'completed', shareId: 's1' };
const OTHER_SHARE = having({
	'collection-request/r1': request,
	'share/s1': { _id: 's1', collectionRequestId: 'other', status: 'completed', title: 'of others' },
});
const OTHER_SHARE_ID = having({
	'collection-request/r1': request,
	'share/s1': { _id: 'other', collectionRequestId: 'r1', title: 'of others' },
});
const notThe = (resource: string) =>
	`The service responded with something other than the ${resource} (HTTP 200)`;
const NOT_THE_REQUEST = notThe('collection request "r1"');
const NOT_THE_SHARE = notThe('share "s1"');

const OF_REQUEST: INodeParameters[] = [
	{ operation: 'get' },
	{ operation: 'get', options: { includeShare: true } },
	{ operation: 'getParticipants' },
	{ operation: 'getPeopleToRemind' },
	{ resource: 'share', operation: 'get' },
	{ resource: 'share', operation: 'getAnswers' },
	{ resource: 'share', operation: 'getHistory' },
];
const OF_SHARE = OF_REQUEST.slice(1);

test.each(OF_REQUEST)(
	'another collection request is not taken by %j, and not asked for again',
	async (own) => {
		const parameters = { ...READ, requestId: 'r1', ...own };
		const error = await runError({ parameters, answer: OTHER_REQUEST });
		expect(error).toMatchObject({ message: NOT_THE_REQUEST, sent: 1 });
		expect(error.description).toContain('nothing of it was used');
		expect(JSON.stringify(error)).not.toContain('of others');
	},
);

describe.each([
	['of another collection request', OTHER_SHARE],
	['with another ID', OTHER_SHARE_ID],
])('a share %s', (_title, answer) => {
	test.each(OF_SHARE)('is not taken by %j', async (own) => {
		const parameters = { ...READ, requestId: 'r1', ...own };
		expect(await runError({ parameters, answer })).toMatchObject({ message: NOT_THE_SHARE });
	});
});

test('a share with another ID than the one asked for is not taken', async () => {
	const parameters = { resource: 'share', operation: 'get', shareBy: 'shareId', shareId: 's1' };
	expect(await runError({ parameters, answer: OTHER_SHARE_ID })).toMatchObject({
		message: NOT_THE_SHARE,
	});
});

test('the trigger includes nothing of it, and says why', async () => {
	const { url } = await startFaultServer(OTHER_REQUEST);
	const about = signed({ body: payload({ requestId: 'r1' }), timestamp: String(time.now()) });
	const { started } = await deliver([about], {
		parameters: { options: { include: ['collectionRequest', 'share'] } },
		credential: { productionBaseUrl: url },
	});
	expect(started).toMatchObject([{ requestId: 'r1', includeError: NOT_THE_REQUEST }]);
	expect(started[0]).not.toHaveProperty('collectionRequest');
	expect(started[0]).not.toHaveProperty('share');
});

test('one genuine notification does not end a wait for three with the data of the first', async () => {
	const first = json(200, { _id: 'a', shareStatus: 'completed', title: 'of the first' });
	const { statuses, notify, outputs } = await waiting(['a', 'b', 'c']);
	Object.assign(statuses, { b: first, c: first });
	expect(await notify({ requestId: 'a' })).toBe('503 not checked');
	expect(outputs).toEqual([]);
});
