import type { INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { held, json, service, type Answer } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { NOTIFICATION_FIELDS } from '../support/delivery.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { allOf, idsOf, waiting } from './support/waitNode.mts';

// How a notification affects a waiting execution.

const time = useVirtualTime();

describe('the last awaited status ends it', () => {
	test('all leave by Done, in their order, and it does not end again', async () => {
		const { statuses, notify, outputs } = await waiting(['a', 'b', 'a']);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a' })).toBe('200 waiting');
		statuses.b = 'completed';
		expect(await notify({ requestId: 'b', webhookIdentifier: 'x' })).toBe('200 accepted');
		expect(await notify({ requestId: 'b', later: true })).toBe('200 duplicate');
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
		expect(await notify({ requestId: 'a' })).toBe('200 waiting');
		expect(await notify({ requestId: 'b', shareStatus: 'COMPLETED' })).toBe('200 accepted');
		expect(started).toMatchObject([
			{ requestId: 'a', shareStatus: 'completed', isReached: true },
			{ requestId: 'b', shareStatus: 'COMPLETED', isReached: true },
		]);
	});

	test('what another execution has created says itself whose it is', async () => {
		const { statuses, notify, started } = await waiting(['a']);
		const participantList = [{ email: 'ada@example.com' }];
		statuses.a = json(200, { _id: 'a', shareStatus: 'completed', participantList });
		expect(await notify({ requestId: 'a' })).toBe('200 accepted');
		expect(started).toMatchObject([{ requestId: 'a', email: 'ada@example.com' }]);
	});

	test.each([null, '', undefined])('or if it is %j, what the service says', async (shareStatus) => {
		const { statuses, notify, started } = await waiting(['a']);
		expect(await notify({ requestId: 'a', shareStatus })).toBe('200 waiting');
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a', shareStatus })).toBe('200 accepted');
		expect(started).toMatchObject([{ shareStatus: 'completed' }]);
	});

	test('although it equals the token ID: what leaves hides the secrets that the service repeats', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b'], {
			host: { credential: { tokenId: 'completed' } },
		});
		const title = `Key ${CREDENTIAL.apiKey}`;
		statuses.a = json(200, { _id: 'a', shareStatus: 'completed', title });
		statuses.b = json(200, { _id: 'b', shareStatus: 'completed', title });
		expect(await notify({ requestId: 'a' })).toBe('200 accepted');
		const hidden = { title: 'Key (hidden)', shareStatus: '(hidden)' };
		expect(started).toMatchObject([hidden, hidden]);
	});

	test.each([
		['it stays reached, whatever comes later', false],
		['also in another process than the one in which the wait began', true],
	])('%s', async (_title, isElsewhere) => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c'], {
			parameters: { waitFor: 'statuses', waitForStatuses: ['reviewed'] },
			statuses: { a: 'reviewed', b: 'draft', c: 'draft' },
			isElsewhere,
		});
		expect(await notify({ requestId: 'b', shareStatus: 'reviewed' })).toBe('200 waiting');
		expect(await notify({ requestId: 'b', shareStatus: 'draft' })).toBe('200 waiting');
		Object.assign(statuses, { a: 'reopened', b: 'reopened' });
		expect(await notify({ requestId: 'c', shareStatus: 'reviewed' })).toBe('200 accepted');
		expect(started.map(({ shareStatus }) => shareStatus)).toEqual(Array(3).fill('reviewed'));
	});

	test('of two awaited ones, that which is read last comes out, also if the first one was read', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c'], {
			parameters: { waitFor: 'open' },
			statuses: { a: 'draft', b: 'draft', c: 'draft' },
		});
		statuses.b = 'open';
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 waiting');
		Object.assign(statuses, { a: 'completed', b: 'completed' });
		expect(await notify({ requestId: 'c', shareStatus: 'open' })).toBe('200 accepted');
		const said = started.map(({ shareStatus }) => shareStatus);
		expect(said).toEqual(['completed', 'completed', 'open']);
	});

	test('with Number to Wait For when so many are done, and only these come out', async () => {
		const { notify, started } = await waiting(idsOf(5), {
			parameters: { options: { numberToWaitFor: 2 } },
		});
		expect(await notify({ requestId: 'r3' })).toBe('200 waiting');
		expect(await notify({ requestId: 'r1' })).toBe('200 accepted');
		expect(started).toMatchObject([{ requestId: 'r1' }, { requestId: 'r3' }]);
		expect(started).toHaveLength(2);
	});
});

describe('it goes on waiting', () => {
	test('at what is not awaited, and reads nothing', async () => {
		const { notify, started, urls } = await waiting(['a', 'b']);
		expect(await notify({ requestId: 'of an earlier wait' })).toBe('200 ignored');
		const event = 'collection_request.previewed';
		expect(await notify({ event, requestId: 'a' })).toBe('200 ignored');
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 waiting');
		expect([started, urls()]).toEqual([[], []]);
	});

	test('if nothing is stored with the execution: not handled, and the log says why', async () => {
		const nothing = { resultData: { runData: {} } } as never;
		const { notify, started, logged } = await startTriggerHost({ waiting: nothing });
		expect([await notify(), started]).toEqual(['500 not handled', []]);
		expect(logged.join()).toMatch(/^Delivery not handled: n8n has not kept what this wait is for/);
	});

	test('at what is older than Maximum Age, or signed with another secret than the credential has', async () => {
		const { notify, urls } = await waiting(['a'], {
			parameters: { options: { maximumAge: 600 } },
			host: { credential: { previousWebhookSecrets: 'the older webhook secret' } },
		});
		const secondsAgo = (seconds: number) => time.now() - seconds * 1_000;
		const sent = async (secret: string, at: number) => await notify({ requestId: 'a' }, secret, at);
		expect(await sent('an unknown webhook secret', time.now())).toBe('401 unverified');
		expect(await sent('the older webhook secret', secondsAgo(660))).toBe('401 unverified');
		expect(urls()).toEqual([]);
		expect(await sent('the older webhook secret', secondsAgo(540))).toBe('200 accepted');
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

	test('100 notifications at the same moment end it once', async () => {
		const { statuses, notify, started } = await waiting(ids);
		Object.assign(statuses, allOf(ids, limited()));
		const said = await Promise.all(ids.map(async (requestId) => await notify({ requestId })));
		expect(said.filter((one) => one === '200 accepted')).toHaveLength(1);
		expect(started.map(({ requestId }) => requestId)).toEqual(ids);
	});

	test('what the last notification had no time to read, later ones read', async () => {
		const { statuses, notify, started } = await waiting(ids);
		Object.assign(statuses, allOf(ids, limited()));
		const said = [await notify({ requestId: 'r0' })];
		while (said.at(-1) === '503 not checked' && said.length < 10) {
			said.push(await notify({ requestId: 'r0', again: said.length }));
		}
		expect([said[0], said.at(-1)]).toEqual(['503 not checked', '200 accepted']);
		// What was reported need not be read to end the wait. The others come out as any call read them.
		const [reported, ...others] = started;
		expect(reported).toMatchObject({ requestId: 'r0', isReached: true });
		expect(others.map(({ title }) => title)).toEqual(ids.slice(1).map((id) => `Title ${id}`));
	});

	test('it reads one, as long as that one is not done', async () => {
		const { notify, urls } = await waiting(ids);
		const sleep = jest.spyOn(clock, 'sleep');
		expect(await notify({ requestId: 'r99' })).toBe('200 waiting');
		expect(urls()).toHaveLength(1);
		// Each turn of the event loop for one that is not read would take a millisecond.
		expect(sleep).toHaveBeenCalledTimes(0);
	});

	test('with Number to Wait For it stops reading when so many are done', async () => {
		const { statuses, notify, urls, started } = await waiting(ids, {
			parameters: { options: { numberToWaitFor: 2 } },
		});
		statuses.r0 = 'completed';
		expect(await notify({ requestId: 'r99' })).toBe('200 accepted');
		expect(started).toMatchObject([{ requestId: 'r0' }, { requestId: 'r99' }]);
		// At most 20 reads begin at once, and then the one that was reported.
		expect(urls().length).toBeLessThanOrEqual(21);
	});
});

describe('when the service fails at that moment', () => {
	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['by hanging', () => void setImmediate(() => time.advance(90_000))],
	])('%s: not checked, and a later notification ends the wait', async (_title, broken) => {
		const { statuses, notify, started, logged } = await waiting(['a', 'b']);
		statuses.b = broken;
		expect(await notify({ requestId: 'a' })).toBe('503 not checked');
		expect(logged.join('\n')).toMatch(/^Delivery not checked.* service .*"node":"Node"/);
		expect(started).toEqual([]);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'b' })).toBe('200 accepted');
		expect(started).toHaveLength(2);
	});

	test.each<[string, string, INodeParameters, string]>([
		['it is checked if another is not done in any case', 'c', {}, '200 waiting'],
		['also if that one is read after it', 'b', {}, '200 waiting'],
		[
			'it is not if one that cannot be read might be enough',
			'c',
			{ options: { numberToWaitFor: 2 } },
			'503 not checked',
		],
	])('%s', async (_title, broken, parameters, response) => {
		const { statuses, notify } = await waiting(['a', 'b', 'c'], { parameters });
		statuses[broken] = json(500, {});
		expect(await notify({ requestId: 'a' })).toBe(response);
	});

	test('it is checked beside one that is missing, too, if another is not done in any case', async () => {
		const { statuses, notify } = await waiting(['a', 'b', 'c', 'd']);
		Object.assign(statuses, { b: json(404, {}), d: json(500, {}) });
		expect(await notify({ requestId: 'a' })).toBe('200 waiting');
	});

	test('one that the key may not read any more (HTTP 403) is not missing', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		statuses.b = json(403, {});
		expect(await notify({ requestId: 'a' })).toBe('503 not checked');
		expect(started).toEqual([]);
		statuses.b = 'completed';
		expect(await notify({ requestId: 'a', again: true })).toBe('200 accepted');
	});

	test.each([404, 410])('one that is missing (HTTP %s) holds nobody up', async (status) => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		statuses.b = json(status, {});
		expect(await notify({ requestId: 'a' })).toBe('200 accepted');
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
		expect(await notify({ requestId: 'b' })).toBe('200 accepted');
		const known = { shareStatus: 'completed', isReached: true, timedOut: false };
		const readError = containing('service');
		expect(started).toMatchObject([
			{ requestId: 'a', guestLink: containing('/request/a'), ...known, readError },
			{ requestId: 'b', ...known, readError, notification: { requestId: 'b' } },
		]);
	});

	test('with 500: what was read at that time is read again if something newer is reported', async () => {
		const draft = allOf(['a', 'b', 'c'], 'draft');
		const parameters = { waitFor: 'open' };
		const { statuses, notify, started } = await waiting(['a', 'b', 'c'], {
			parameters,
			statuses: draft,
		});
		Object.assign(statuses, { b: 'open', c: json(500, {}) });
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('503 not checked');
		statuses.b = json(200, { _id: 'b', shareStatus: 'completed', shareId: 's1' });
		expect(await notify({ requestId: 'b' })).toBe('503 not checked');
		expect(await notify({ requestId: 'c', shareStatus: 'open' })).toBe('200 accepted');
		expect(started[1]).toMatchObject({ shareStatus: 'completed', shareId: 's1' });
	});

	test('with 500: what was read at that time is read again if the wait went on after it', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c'], {
			parameters: { waitFor: 'open' },
			statuses: allOf(['a', 'b', 'c'], 'draft'),
		});
		Object.assign(statuses, { b: 'open', c: json(500, {}) });
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('503 not checked');
		statuses.c = 'draft';
		expect(await notify({ requestId: 'a', shareStatus: 'open', n: 2 })).toBe('200 waiting');
		statuses.b = 'completed';
		expect(await notify({ requestId: 'c', shareStatus: 'open' })).toBe('200 accepted');
		expect(started[1]).toMatchObject({ requestId: 'b', shareStatus: 'completed' });
	});

	test('with 500: what was open at that time is read again when it is done', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c'], {
			parameters: { options: { numberToWaitFor: 2 } },
		});
		statuses.c = json(500, {});
		expect(await notify({ requestId: 'a' })).toBe('503 not checked');
		statuses.b = json(200, { _id: 'b', shareStatus: 'completed', shareId: 's1' });
		expect(await notify({ requestId: 'b' })).toBe('200 accepted');
		expect(started).toMatchObject([{ requestId: 'a' }, { requestId: 'b', shareId: 's1' }]);
	});

	test('so slowly that there is no time to read all that comes out: it ends in time', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c']);
		expect(await notify({ requestId: 'a' })).toBe('200 waiting');
		expect(await notify({ requestId: 'b' })).toBe('200 waiting');
		const slow: Answer = (...call) => {
			const _id = call[1].url.split('/').at(-1);
			// In steps, so that time limits are not late.
			let steps = 27;
			const respond = () => json(200, { _id, shareStatus: 'completed' })(...call);
			const step = () => void time.sleep(100).then(() => (steps-- > 0 ? step() : respond()));
			step();
		};
		Object.assign(statuses, allOf(['a', 'b', 'c'], slow));
		const before = time.now();
		expect(await notify({ requestId: 'c', shareStatus: null })).toBe('200 accepted');
		expect(time.now() - before).toBeLessThan(4_500);
		const readError = containing('did not respond in time');
		expect(started).toMatchObject([{ readError }, { readError }, { _id: 'c' }]);
	});

	test('by hanging at the first: after two seconds it reads the others, too', async () => {
		const { statuses, notify } = await waiting(['a', 'b', 'c']);
		const b = held(json(200, { _id: 'b', shareStatus: 'completed' }));
		const c = held(json(200, { _id: 'c', shareStatus: 'completed' }));
		Object.assign(statuses, { b: b.answer, c: c.answer });
		const response = notify({ requestId: 'a' });
		await b.asked;
		time.advance(2_000);
		await c.asked;
		b.respond();
		c.respond();
		expect(await response).toBe('200 accepted');
	});
});

// Another environment, the account or a gateway may be the reason.
describe.each([403, 404, 410])('if the service returns nothing any more (HTTP %s)', (status) => {
	test.each([
		['all are awaited', { requestId: 'a', shareStatus: null }],
		['one was reported', { requestId: 'a' }],
	])('it goes on waiting: %s', async (_title, changes) => {
		const { statuses, notify, started, logged } = await waiting(['a', 'b', 'c']);
		Object.assign(statuses, allOf(['a', 'b', 'c'], json(status, {})));
		expect(await notify(changes)).toBe('503 not checked');
		expect(logged.join()).toContain(`(HTTP ${status})`);
		Object.assign(statuses, allOf(['a', 'b', 'c'], 'completed'));
		expect(await notify({ ...changes, again: true })).toBe('200 accepted');
		expect(started.map(({ isReached }) => isReached)).toEqual([true, true, true]);
	});
});

describe('while a call is at work, another notification', () => {
	const open = json(200, { _id: 'b', shareStatus: 'open' });

	/** A wait of which a call reads `b`, which responds when the test says so. */
	async function atWork(ids: string[], response = open) {
		const begun = await waiting(ids);
		const { answer, asked, respond } = held(response);
		begun.statuses.b = answer;
		const first = begun.notify({ requestId: ids[0], shareStatus: null });
		await asked;
		return { ...begun, first, respond };
	}

	test('joins its reads, and reads once more: they may have been too early', async () => {
		const { statuses, notify, first, respond, urls } = await atWork(['b', 'a', 'c']);
		const others = ['a', 'c'].map(async (requestId) => await notify({ requestId }));
		// What came before this one has joined when this one has its response.
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 waiting');
		statuses.b = 'completed';
		respond();
		expect(await first).toBe('200 waiting');
		expect((await Promise.all(others)).toSorted()).toEqual(['200 accepted', '200 duplicate']);
		expect(urls().filter((url) => url.endsWith('/b'))).toHaveLength(2);
	});

	test('has its response after four seconds all the same', async () => {
		const { statuses, notify, first, respond } = await atWork(['b', 'a']);
		const second = notify({ requestId: 'a' });
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 waiting');
		time.advance(3_900);
		const again = held(() => {});
		statuses.b = again.answer;
		respond();
		expect(await first).toBe('200 waiting');
		await again.asked;
		time.advance(100);
		expect(await second).toBe('503 not checked');
	});

	test('may report what cannot be read at that moment: it is read again when it comes out', async () => {
		const down = json(500, {});
		const { statuses, notify, first, respond, started } = await atWork(['b', 'a'], down);
		Object.assign(statuses, allOf(['b', 'a'], down));
		const second = notify({ requestId: 'b' });
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 waiting');
		respond();
		expect(await Promise.all([first, second])).toEqual(['503 not checked', '503 not checked']);
		Object.assign(statuses, allOf(['b', 'a'], 'completed'));
		expect(await notify({ requestId: 'a' })).toBe('200 accepted');
		expect(started).toMatchObject([{ title: 'Title b' }, { title: 'Title a' }]);
	});

	test('that reports the last one ends the wait at once, although the reads hang', async () => {
		const { statuses, notify, first, respond, started } = await atWork(['b', 'a']);
		statuses.b = 'completed';
		const second = notify({ requestId: 'a' });
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 waiting');
		expect(await notify({ requestId: 'b' })).toBe('200 accepted');
		expect(started).toMatchObject([{ notification: { shareStatus: 'completed' } }, {}]);
		respond();
		expect(await Promise.all([first, second])).toEqual(['200 duplicate', '200 duplicate']);
	});
});
