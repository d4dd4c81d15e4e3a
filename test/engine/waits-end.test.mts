import type { INodeParameters } from 'n8n-workflow';
import { json, type Answer } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { NOTIFICATION_FIELDS, payload, signed } from '../support/delivery.mts';
import { deliver } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import {
	ACCEPTED,
	allOf,
	DUPLICATE,
	IGNORED,
	idsOf,
	itemsOf,
	NOT_CHECKED,
	service,
	type Statuses,
	WAIT,
	wait,
	WAITING,
	waiting,
} from './support/waiting.mts';

// How a notification affects a waiting execution.

const time = useVirtualTime();
const completed = json(200, { _id: 'b', shareStatus: 'completed' });

const REVIEWED = { waitFor: 'statuses', waitForStatuses: ['reviewed'] };
const TWO: INodeParameters = { options: { numberToWaitFor: 2 } };

/** A read that takes so long that the response is due, and fails; those after it succeed. */
function slowAtFirst() {
	const answer: Answer = (...call) => {
		read.count += 1;
		if (read.count === 1) time.advance(4_000);
		(read.count === 1 ? json(500, {}) : completed)(...call);
	};
	const read = { answer, count: 0 };
	return read;
}

describe('the last awaited status ends it', () => {
	test('all leave by Done, in their order, and it does not end again', async () => {
		const { statuses, notify, outputs } = await waiting(['a', 'b', 'a']);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		statuses.b = 'completed';
		expect(await notify({ requestId: 'b', webhookIdentifier: 'x' })).toBe(ACCEPTED);
		expect(await notify({ requestId: 'b', later: true })).toBe(DUPLICATE);
		const [done = [], timedOut, ...more] = outputs;
		const known = { _id: 'b', title: 'Title b', shareStatus: 'completed', isReached: true };
		expect(done.map(({ json: item }) => item)).toMatchObject([
			{ requestId: 'a', isReached: true, notification: null },
			{ requestId: 'b', ...known, timedOut: false, notification: { requestId: 'b' } },
		]);
		expect([timedOut, more]).toEqual([[], []]);
		expect(Object.keys(done[0]?.json ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
		const { notification } = done[1]?.json ?? {};
		expect(Object.keys(notification ?? {})).toEqual(NOTIFICATION_FIELDS);
		expect(notification).toMatchObject({
			guestLink: 'https://collect.example.com/request/b',
			notifiedAt: matching(/^\d{4}-\d\d-\d\dT.*Z$/),
		});
	});

	test('although each read still says open', async () => {
		const { notify, started } = await waiting(['a', 'b']);
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		expect(await notify({ requestId: 'b', shareStatus: 'COMPLETED' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'a', shareStatus: 'completed', isReached: true },
			{ requestId: 'b', shareStatus: 'COMPLETED', isReached: true },
		]);
	});

	test.each([null, '', undefined])('or if it is %j, what the service says', async (shareStatus) => {
		const { statuses, notify, started } = await waiting(['a']);
		expect(await notify({ requestId: 'a', shareStatus })).toBe(WAITING);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a', shareStatus })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ shareStatus: 'completed' }]);
	});

	test('as it was evaluated, not as the expressions say at that moment', async () => {
		const { notify, started } = await waiting(['a'], {
			parameters: { waitFor: 'statuses', waitForStatuses: '={{ ["closed"] }}' },
			host: { parameters: { ...WAIT, waitFor: '={{ $json.nothing }}' } },
		});
		expect(await notify({ requestId: 'a', shareStatus: 'completed' })).toBe(WAITING);
		expect(await notify({ requestId: 'a', shareStatus: 'closed' })).toBe(ACCEPTED);
		expect(started).toHaveLength(1);
	});

	test('although the token ID equals it, which comes out hidden', async () => {
		const credential = { tokenId: 'completed' };
		const { notify, started } = await waiting(['a'], { host: { credential } });
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ requestId: 'a', shareStatus: '(hidden)' }]);
	});

	test('it stays reached, whatever comes later', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b'], {
			parameters: REVIEWED,
			statuses: { a: 'draft', b: 'draft' },
		});
		expect(await notify({ requestId: 'a', shareStatus: 'reviewed' })).toBe(WAITING);
		expect(await notify({ requestId: 'a', shareStatus: 'draft' })).toBe(WAITING);
		statuses.a = 'reopened';
		expect(await notify({ requestId: 'b', shareStatus: 'reviewed' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'a', shareStatus: 'reviewed', isReached: true },
			{ requestId: 'b', shareStatus: 'reviewed', isReached: true },
		]);
	});

	test('of two awaited ones, that which is read last comes out', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b'], {
			parameters: { waitFor: 'open' },
			statuses: { a: 'draft', b: 'draft' },
		});
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe(WAITING);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'b', shareStatus: 'open' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ shareStatus: 'completed' }, { shareStatus: 'open' }]);
	});

	test('with Number to Wait For when so many are there, and only these come out', async () => {
		const { notify, started } = await waiting(idsOf(5), { parameters: TWO });
		expect(await notify({ requestId: 'r3' })).toBe(WAITING);
		expect(await notify({ requestId: 'r1' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ requestId: 'r1' }, { requestId: 'r3' }]);
		expect(started).toHaveLength(2);
	});
});

describe('it goes on waiting', () => {
	test('at what is not awaited, and reads nothing', async () => {
		const { notify, started, urls } = await waiting(['a', 'b']);
		expect(await notify({ requestId: 'of an earlier wait' })).toBe(IGNORED);
		const event = 'collection_request.previewed';
		expect(await notify({ event, requestId: 'a' })).toBe(IGNORED);
		expect([started, urls()]).toEqual([[], []]);
	});

	test('if nothing is stored with the execution: not handled, and the log says why', async () => {
		const sent = signed({ body: payload({ requestId: 'a' }), timestamp: String(time.now()) });
		const nothing = { resultData: { runData: {} } } as never;
		const host = { parameters: WAIT, waiting: nothing };
		const { responses, started, logged } = await deliver([sent], host);
		expect([responses, started]).toEqual([['500 not handled'], []]);
		expect(logged.join()).toMatch(/^Delivery not handled: n8n has not kept what this wait is for/);
	});

	test('at a signature that is older than Options > Maximum Age', async () => {
		const parameters = { options: { maximumAge: 600 } };
		const { notify, urls } = await waiting(['a'], { parameters });
		const sentAgo = async (seconds: number) =>
			await notify({ requestId: 'a' }, undefined, time.now() - seconds * 1_000);
		expect(await sentAgo(660)).toBe('401 unverified');
		expect(urls()).toEqual([]);
		expect(await sentAgo(540)).toBe(ACCEPTED);
	});

	test('at another webhook secret than the present one and the previous ones', async () => {
		const credential = {
			webhookSecret: 'a newer webhook secret',
			previousWebhookSecrets: 'another webhook secret\nthe older webhook secret',
		};
		const { notify } = await waiting(['a'], { host: { credential } });
		expect(await notify({ requestId: 'a' })).toBe('401 unverified');
		expect(await notify({ requestId: 'a' }, 'the older webhook secret')).toBe(ACCEPTED);
	});

	test('if its credential has been deleted', async () => {
		const onRead = () => {
			throw new Error('Credential with ID "1" does not exist');
		};
		const { notify, started, logged } = await waiting(['a'], { host: { onRead } });
		expect(await notify({ requestId: 'a' })).toBe('500 not configured');
		expect(logged.join()).toContain('does not exist');
		expect(started).toEqual([]);
	});
});

describe('100 collection requests', () => {
	const ids = idsOf(100);

	/** A service that allows 20 reads a second, each of which takes 700 ms. */
	function limited(): Answer {
		let second = 0;
		let count = 0;
		return (...call) => {
			const now = Math.floor(time.now() / 1000);
			if (now !== second) [second, count] = [now, 0];
			count += 1;
			if (count > 20) return json(429, {}, { 'retry-after': '1' })(...call);
			void time.sleep(700).then(() => service(allOf(ids, 'completed'))(...call));
		};
	}

	test('it goes on at once if all are completed', async () => {
		const run = await wait(limited(), itemsOf(...ids));
		expect(run).toMatchObject({ error: undefined, until: undefined, hints: [] });
		expect(run.json.filter(({ isReached }) => isReached)).toHaveLength(100);
	});

	test.each([
		['100 notifications at the same moment', ids],
		['the last notification, although the others never arrived', ['r0']],
	])('%s: it ends once', async (_title, notified) => {
		const { statuses, notify, started } = await waiting(ids);
		Object.assign(statuses, allOf(ids, limited()));
		await Promise.all(notified.map(async (requestId) => await notify({ requestId })));
		while (started.length === 0) await time.sleep(1_000);
		await time.sleep(1_000);
		expect(started.map(({ requestId }) => requestId)).toEqual(ids);
		expect(started.filter(({ shareStatus }) => shareStatus === 'completed')).toHaveLength(100);
	});

	test('it stops reading at the first that is not there yet', async () => {
		const { notify, urls } = await waiting(ids);
		expect(await notify({ requestId: 'r99' })).toBe(WAITING);
		expect(urls().length).toBeLessThanOrEqual(40);
	});
});

describe('when the service fails at that moment', () => {
	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['by hanging', () => void setImmediate(() => time.advance(90_000))],
	])('%s: not checked, and a later notification ends the wait', async (_title, broken) => {
		const { statuses, notify, started, logged } = await waiting(['a', 'b']);
		statuses.b = broken;
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		expect(logged.join('\n')).toMatch(/^Delivery not checked.* service .*"node":"Node"/);
		expect(started).toEqual([]);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
		expect(started).toHaveLength(2);
	});

	test.each<[string, INodeParameters, string]>([
		['it is checked if another is not there yet in any case', {}, WAITING],
		['it is not if one that cannot be read might be enough', TWO, NOT_CHECKED],
	])('%s', async (_title, parameters, response) => {
		const { statuses, notify } = await waiting(['a', 'b', 'c'], { parameters });
		statuses.c = json(500, {});
		expect(await notify({ requestId: 'a' })).toBe(response);
	});

	test.each([403, 404, 410])('one that is gone (HTTP %s) holds nobody up', async (status) => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		statuses.b = json(status, {});
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'a', isReached: true },
			{ requestId: 'b', isReached: false, readError: containing(`HTTP ${status}`) },
		]);
	});

	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['by hanging', () => void setImmediate(() => time.advance(3_000))],
	])('%s, but everything was reported: it ends with what is known', async (_title, broken) => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		await notify({ requestId: 'a' });
		Object.assign(statuses, allOf(['a', 'b'], broken));
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
		const known = { shareStatus: 'completed', isReached: true, timedOut: false };
		const readError = containing('service');
		expect(started).toMatchObject([
			{ requestId: 'a', guestLink: containing('/request/a'), ...known, readError },
			{ requestId: 'b', ...known, readError, notification: { requestId: 'b' } },
		]);
	});

	test('by responding with something else: that is not read, and nobody is done', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c']);
		const another = json(200, { shareStatus: 'completed' });
		Object.assign(statuses, { b: another, c: another });
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		expect(started).toEqual([]);
		Object.assign(statuses, allOf(['a', 'b', 'c'], 'completed'));
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
	});

	test('the reads go on after the response, and end the wait, once', async () => {
		const { statuses, notify, started, outputs } = await waiting(['a', 'b']);
		statuses.b = slowAtFirst().answer;
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		while (started.length === 0) await time.sleep(100);
		expect(started).toMatchObject([{ requestId: 'a' }, { requestId: 'b', isReached: true }]);
		expect(await notify({ requestId: 'b' })).toBe(DUPLICATE);
		expect(outputs).toHaveLength(2);
	});
});

describe('ten seconds after the last notification it looks once more', () => {
	const isOpen = { requestId: 'a', shareStatus: 'open' };

	test('and so ends the wait although other notifications never arrived', async () => {
		const ids = ['a', 'b', 'c'];
		const { statuses, notify, started } = await waiting(ids);
		expect(await notify(isOpen)).toBe(WAITING);
		Object.assign(statuses, allOf(ids, 'completed'));
		time.advance(10_000);
		while (started.length === 0) await time.sleep(1);
		expect(started.map(({ shareStatus }) => shareStatus)).toEqual(Array(3).fill('completed'));
	});

	test('it looks once, however many notifications came', async () => {
		const { notify, urls, started } = await waiting(['a', 'b']);
		for (let count = 0; count < 5; count += 1) {
			expect(await notify({ ...isOpen, count })).toBe(WAITING);
		}
		const before = urls().length;
		time.advance(10_000);
		while (urls().length < before + 2) await time.sleep(1);
		await time.sleep(1_000);
		time.advance(10_000);
		await time.sleep(1_000);
		expect(urls()).toHaveLength(before + 2);
		expect(started).toEqual([]);
	});
});

describe('while a call is at work, another notification', () => {
	/** A wait of which a call reads `b`, which is `open` and responds when the test says so. */
	async function atWork(ids: string[], isElsewhere = false) {
		const begun = await waiting(ids, { isElsewhere });
		const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
		const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>();
		begun.statuses.b = (...call) => {
			asked();
			void mayRespond.then(() => json(200, { _id: 'b', shareStatus: 'open' })(...call));
		};
		const first = begun.notify({ requestId: ids[0], shareStatus: 'open' });
		await isAsked;
		return { ...begun, first, respond };
	}

	test('is left to that call, which looks again', async () => {
		const { statuses, notify, first, respond } = await atWork(['a', 'b']);
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		statuses.b = 'completed';
		respond();
		expect(await first).toBe(ACCEPTED);
	});

	test('makes it look again although it has responded by then', async () => {
		const { statuses, notify, first, respond, started } = await atWork(['a', 'b']);
		time.advance(4_000);
		expect(await first).toBe(NOT_CHECKED);
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		statuses.b = 'completed';
		respond();
		while (started.length === 0) await time.sleep(1);
		expect(started).toHaveLength(2);
	});

	test('comes out of Done if it ends the wait', async () => {
		const { notify, first, respond, started } = await atWork(['b']);
		expect(await notify({ requestId: 'b' })).toBe(WAITING);
		respond();
		expect(await first).toBe(ACCEPTED);
		expect(started).toMatchObject([{ notification: { shareStatus: 'completed' } }]);
	});

	test('is not said to be handled where the wait began elsewhere', async () => {
		const { notify, first, respond } = await atWork(['a', 'b'], true);
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		respond();
		expect(await first).toBe(WAITING);
	});
});

describe('in another process than the one in which the wait began', () => {
	const elsewhere = { isElsewhere: true };

	test('a status that was read before the wait stays reached', async () => {
		const statuses: Statuses = { a: 'reviewed', b: 'draft' };
		const begun = await waiting(['a', 'b'], { ...elsewhere, parameters: REVIEWED, statuses });
		begun.statuses.a = 'draft';
		expect(await begun.notify({ requestId: 'b', shareStatus: 'reviewed' })).toBe(ACCEPTED);
	});

	test('it does not look once more', async () => {
		const { notify, urls } = await waiting(['a', 'b'], elsewhere);
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe(WAITING);
		const before = urls().length;
		time.advance(10_000);
		await time.sleep(1_000);
		expect(urls()).toHaveLength(before);
	});

	test('what is read after the response does not end the wait', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b'], elsewhere);
		const read = slowAtFirst();
		statuses.b = read.answer;
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		for (let count = 0; count < 10; count += 1) await time.sleep(100);
		expect([read.count, started]).toEqual([1, []]);
	});
});
