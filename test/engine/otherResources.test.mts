import type { INodeParameters } from 'n8n-workflow';
import { runError, runOk } from './support/engine.mts';
import { having, json, startFaultServer } from './support/faultServer.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { waiting } from './support/waitNode.mts';

// What the service responds is about what was asked, e.g. not out of a cache that mixes things up.

const otherRequest = json(200, { _id: 'other', shareStatus: 'completed', title: 'of others' });
const withShare = (share: object) =>
	having({
		'collection-request/r1': { _id: 'r1', shareStatus: 'open', shareId: 's1' },
		'share/s1': share,
	});
const shareOfOther = withShare({ _id: 's1', collectionRequestId: 'other', title: 'of others' });
const otherShare = withShare({ _id: 'other', collectionRequestId: 'r1', title: 'of others' });
const notThe = (resource: string) =>
	`The service responded with something other than the ${resource} (HTTP 200)`;

const ofRequest: INodeParameters[] = [
	{ resource: 'collectionRequest', operation: 'get', options: { includeShare: true } },
	{ resource: 'collectionRequest', operation: 'getParticipants' },
	{ resource: 'collectionRequest', operation: 'getPeopleToRemind' },
	{ resource: 'share', operation: 'get' },
	{ resource: 'share', operation: 'getAnswers' },
	{ resource: 'share', operation: 'getHistory' },
];

test.each(ofRequest)('%j takes no other collection request, and no other share', async (own) => {
	const parameters = { ...own, requestId: 'r1' };
	const error = await runError({ parameters, answer: otherRequest });
	expect(error).toMatchObject({ message: notThe('collection request "r1"'), sent: 1 });
	expect(error.description).toContain('nothing of it was used');
	expect(JSON.stringify(error)).not.toContain('of others');
	for (const answer of [shareOfOther, otherShare]) {
		const { message } = await runError({ parameters, answer });
		expect(message).toBe(notThe('share "s1" of the collection request "r1"'));
	}
});

test('an ID in another case is the same, and comes out as the service writes it', async () => {
	const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'OTHER' };
	const { item } = await runOk({ parameters, answer: otherRequest });
	expect(item).toMatchObject({ requestId: 'other', title: 'of others' });
});

test('a share with another ID than the one asked for is not taken', async () => {
	const parameters = { resource: 'share', operation: 'get', shareBy: 'shareId', shareId: 's1' };
	const { message } = await runError({ parameters, answer: otherShare });
	expect(message).toBe(notThe('share "s1"'));
});

test('the trigger includes nothing of it, and says why', async () => {
	const { url } = await startFaultServer(otherRequest);
	const { notify, started } = await startTriggerHost({
		parameters: { options: { include: ['collectionRequest', 'share'] } },
		credential: { productionBaseUrl: url },
	});
	await notify({ requestId: 'r1' });
	const includeError = notThe('collection request "r1"');
	expect(started).toMatchObject([{ requestId: 'r1', includeError }]);
	expect(JSON.stringify(started)).not.toContain('of others');
});

test('one genuine notification does not end a wait for three with the data of the first', async () => {
	const first = json(200, { _id: 'a', shareStatus: 'completed', title: 'of the first' });
	const { statuses, notify, outputs } = await waiting(['a', 'b', 'c']);
	Object.assign(statuses, { b: first, c: first });
	expect([await notify({ requestId: 'a' }), outputs]).toEqual(['503 not checked', []]);
});
