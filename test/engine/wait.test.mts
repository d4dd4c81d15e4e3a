import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { containing, matching } from '../support/matchers.mts';
import { action, beforeExecution, newExecution, stopExecution } from './support/engine.mts';
import type { Execution } from './support/engine.mts';
import { json, service, type Answer, type Statuses } from './support/faultServer.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { allOf, idsOf, reportedExecution, wait } from './support/waitNode.mts';

// How a wait begins. How it ends is in `waitsEnd.test.mts` and in `resumesOnce.test.mts`.

const time = useVirtualTime();

describe('it goes on at once', () => {
	test('when all are done: each comes out once, linked to the item that names it, if one does', async () => {
		const statuses = { a: 'completed', b: 'Completed' };
		const run = await wait(statuses, ['b', 'https://collect.example.com/request/a?x=1', 'b']);
		const itemOf = (id: string, shareStatus: string) => ({
			requestId: id,
			guestLink: `https://collect.example.com/request/${id}`,
			_id: id,
			title: `Title ${id}`,
			shareStatus,
			isReached: true,
			notification: null,
			timedOut: false,
		});
		const items = [
			{ json: itemOf('b', 'Completed'), pairedItem: [] },
			{ json: itemOf('a', 'completed'), pairedItem: { item: 1 } },
		];
		expect(run.outputs).toEqual([items, []]);
		expect(run).toMatchObject({ until: undefined, error: undefined, hints: [], sent: 2 });
	});

	test.each<[string, INodeParameters, string]>([
		['Open or Completed: what is completed by now is done, too', { waitFor: 'open' }, 'completed'],
		[
			'a text lists the statuses',
			{ waitFor: 'statuses', waitForStatuses: '={{ "open, closed" }}' },
			'closed',
		],
	])('%s', async (_title, parameters, other) => {
		const run = await wait({ a: 'open', b: other }, ['a', 'b'], parameters);
		expect(run).toMatchObject({ until: undefined, json: [{ requestId: 'a' }, { requestId: 'b' }] });
	});

	test('when the others are done, and the service does not return one of them', async () => {
		const run = await wait({ a: 'completed' }, ['a', 'gone']);
		expect(run.until).toBeUndefined();
		expect(run.json).toMatchObject([
			{ requestId: 'a', isReached: true },
			{ requestId: 'gone', isReached: false, readError: containing('HTTP 404') },
		]);
	});

	test('with Number to Wait For when so many are done, although another cannot be read', async () => {
		const statuses = { a: 'completed', b: json(500, {}), c: 'completed' };
		const run = await wait(statuses, ['a', 'b', 'c'], { options: { numberToWaitFor: 2 } });
		expect(run).toMatchObject({ until: undefined, json: [{ requestId: 'a' }, { requestId: 'c' }] });
	});

	test('when the last one completes while it reads the others', async () => {
		const ids = idsOf(20);
		const statuses = { ...allOf(ids, 'completed'), r0: 'open' };
		const answer: Answer = (...received) => {
			if (received[2] === 19) {
				time.advance(1_000);
				statuses.r0 = 'completed';
			}
			service(statuses)(...received);
		};
		expect(await wait(answer, ids)).toMatchObject({ error: undefined, until: undefined, sent: 21 });
	});
});

describe('it waits', () => {
	test('when one is not done, and stores what was evaluated', async () => {
		const input = [{ requestId: 'a', until: ['completed', 'closed'] }, { requestId: 'b' }];
		const run = await wait({ a: 'completed', b: 'open' }, input, {
			waitFor: 'statuses',
			waitForStatuses: '={{ $json.until }}',
			options: { maximumAge: 60 },
		});
		expect(run.until).toEqual(WAIT_INDEFINITELY);
		expect(run.kept).toEqual({
			executionId: run.execution.id,
			number: 1,
			endsAt: WAIT_INDEFINITELY.getTime(),
			maximumAge: 60,
			requestIds: ['a', 'b'],
			statuses: ['completed', 'closed'],
			needed: 2,
			reached: [['a', 'completed']],
		});
	});

	// With an error output, n8n empties what the node has returned.
	test("until the limit, and then all leave by Time's Up, and claim nothing", async () => {
		const input = [{ requestId: 'a', isReached: true }, 'b'];
		const settings = { onError: 'continueErrorOutput' as const };
		const statuses = { a: 'completed', b: 'open' };
		const limit = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'hours' };
		const { until, timedOut } = await wait(statuses, input, limit, { settings });
		expect(until).toEqual(new Date(time.now() + 2 * 3_600_000));
		const itemOf = (requestId: string) => ({
			json: {
				requestId,
				guestLink: `https://collect.example.com/request/${requestId}`,
				timedOut: true,
			},
		});
		expect(timedOut).toEqual(['a', 'b'].map(itemOf));
	});

	test('for 100, each read once, 50 at a time', async () => {
		const ids = idsOf(100);
		const held: Array<() => void> = [];
		let most = 0;
		// The first ones respond when no other comes any more.
		const answer: Answer = (...received) => {
			const respond = () => service(allOf(ids, 'open'))(...received);
			if (most > 0) return respond();
			if (held.push(respond) > 1) return;
			void time.idle().then(() => {
				most = held.length;
				for (const one of held) one();
			});
		};
		const { until, sent, urls } = await wait(answer, ids);
		expect({ until, most, sent }).toEqual({ until: WAIT_INDEFINITELY, most: 50, sent: 100 });
		expect(new Set(urls).size).toBe(100);
	});

	// Both are read twice, with three attempts each time, but for no longer than 90 seconds.
	test.each<[string, Answer, number]>([
		['hang', () => void setImmediate(() => time.advance(30_000)), 6],
		['fail', json(500, {}), 12],
	])('although its reads %s, as often as they are retried', async (_title, answer, sent) => {
		// With random pauses, the reads may be over so soon that there is no need for a second look.
		clock.random = () => 0.5;
		const run = await wait(answer, ['a', 'b']);
		expect(run.sent).toBe(sent);
		expect(run.until).toEqual(WAIT_INDEFINITELY);
	});

	test('for the others when the service does not return one of them', async () => {
		expect((await wait({ a: 'open' }, ['nothing', 'a'])).until).toEqual(WAIT_INDEFINITELY);
	});

	test('when one is missing and the others cannot be read: that proves nothing', async () => {
		expect((await wait({ a: json(503, {}) }, ['nothing', 'a'])).until).toEqual(WAIT_INDEFINITELY);
	});

	test('for the same one, whether its ID is written in capitals or not', async () => {
		const id = '65f0c1a2b3c4d5e6f7a8b9c2';
		const execution = await reportedExecution([id]);
		const { kept } = await wait({ [id]: 'open' }, [id.toUpperCase(), id], {}, { execution });
		expect(kept).toMatchObject({ requestIds: [id] });
	});
});

/** Makes n8n report that the node comes after a Create. */
const putAfterCreate = (notify: string): void =>
	beforeExecution((context) => {
		const { type } = context.getNode();
		const create = { name: 'Ask them', type, typeVersion: 1, disabled: false };
		const parameters = { resource: 'collectionRequest', operation: 'create', notify };
		context.getParentNodes = (_name, options) => [
			options?.includeNodeParameters ? { ...create, parameters } : create,
		];
	});

const NOT_REPORTED = 'Nothing can end this wait: no status changes are reported to this execution';
const ANOTHER_SECRET = { webhookSecret: 'a webhook secret of another credential' };
const OTHER_SECRET =
	'Nothing can end this wait: its credential has another webhook secret than that of Create';

describe('without a limit, it is refused', () => {
	test.each<[string, () => Execution | Promise<Execution>]>([
		['when no Create has reported to it, whatever its parameters say', newExecution],
		['when one of several is not reported', async () => await reportedExecution(['a'])],
		[
			'after a retry, because the service still reports to the first execution',
			async () => ({ ...(await reportedExecution(['a', 'b'])), id: newExecution().id }),
		],
	])('%s', async (_title, executionOf) => {
		const execution = await executionOf();
		putAfterCreate('wait');
		const run = await wait({ a: 'open', b: 'open' }, ['a', 'b'], {}, { execution });
		expect(run).toMatchObject({
			error: {
				message: NOT_REPORTED,
				description: matching(/in "Ask them" on "A Wait Later.* when an execution is retried/),
			},
			until: undefined,
		});
		const limited = { limitWaitTime: true };
		expect((await wait({ a: 'open' }, ['a', 'b'], limited, { execution })).error).toBeUndefined();
	});

	test('as a tool, too: there is no output that could lead back to it', async () => {
		const settings = { type: 'n8n-nodes-data-collection.dataCollectionTool' };
		const { error } = await wait({ a: 'open' }, ['a'], {}, { execution: newExecution(), settings });
		expect(error).toMatchObject({
			message: NOT_REPORTED,
			description: matching(/Limit Wait Time: at the limit, the agent can call this tool again/),
		});
	});

	test.each<[string, Record<string, string>, string | undefined]>([
		['another webhook secret', ANOTHER_SECRET, OTHER_SECRET],
		[
			'no webhook secret',
			{ webhookSecret: '' },
			'Nothing can end this wait: its credential has no webhook secret',
		],
		[
			'that of Create as a previous one: then it is not',
			{ ...ANOTHER_SECRET, previousWebhookSecrets: CREDENTIAL.webhookSecret },
			undefined,
		],
	])('when its credential has %s', async (_title, credential, message) => {
		const { error } = await wait({ a: 'open' }, ['a'], {}, { credential });
		expect(error?.message).toBe(message);
	});

	test('when it awaits one of another Create with another webhook secret, too', async () => {
		const execution = await reportedExecution(
			['b'],
			await reportedExecution(['a']),
			ANOTHER_SECRET,
		);
		const { error } = await wait({ a: 'open', b: 'open' }, ['a', 'b'], {}, { execution });
		expect(error?.message).toBe(OTHER_SECRET);
	});
});

describe('in a manual execution it looks for itself', () => {
	const manual = (): Execution => ({ ...newExecution(), mode: 'manual' });
	const waitManually = async (statuses: Statuses, parameters = {}, execution = manual()) =>
		await wait(statuses, ['a', 'b'], parameters, { execution });

	test('every five seconds, until all are done', async () => {
		putAfterCreate('wait');
		const statuses: Statuses = { a: 'open', b: 'completed' };
		time.onSleep = () => {
			if (time.slept.length === 3) statuses.a = 'completed';
		};
		const run = await waitManually(statuses);
		expect(run).toMatchObject({ until: undefined, json: [{ requestId: 'a' }, { requestId: 'b' }] });
		expect(time.slept).toEqual([5_000, 5_000, 5_000]);
		expect(run.urls.filter((url) => url.endsWith('/b'))).toHaveLength(1);
	});

	const seen = {
		error: {
			message:
				'After ten minutes of looking, 0 of 2 collection requests have the awaited status: "a" is open, "b" is open',
			description: containing('Another execution has created them'),
		},
	};
	test.each([
		['waits as in production', 'wait', ['a', 'b'], { until: WAIT_INDEFINITELY }],
		['says what it saw if nothing is reported to this execution', 'wait', [], seen],
		['says it if an expression decides that, too', '={{ $json.notify }}', ['a'], seen],
	])('for ten minutes, and then %s', async (_title, notify, reported, outcome) => {
		const execution = await reportedExecution(reported, manual());
		putAfterCreate(notify);
		const before = time.now();
		expect(await waitManually({ a: 'open', b: 'open' }, {}, execution)).toMatchObject(outcome);
		expect(time.now() - before).toBe(600_000);
	});

	test('and says nothing of a secret that the service repeats as a status', async () => {
		putAfterCreate('wait');
		const { error } = await waitManually({ a: CREDENTIAL.apiKey, b: 'open' });
		expect(error?.message).toMatch(/: "a" is \(hidden\), "b" is open$/);
	});

	test("until the limit, and then leaves by Time's Up at once", async () => {
		const before = time.now();
		const limit = { limitWaitTime: true, resumeAmount: 1, resumeUnit: 'minutes' };
		const { outputs, until } = await waitManually({ a: 'open', b: 'open' }, limit);
		expect(outputs).toMatchObject([
			[],
			[{ json: { requestId: 'a', timedOut: true } }, { json: { requestId: 'b', timedOut: true } }],
		]);
		expect([until, time.now() - before]).toEqual([undefined, 60_000]);
	});

	test('until it is cancelled', async () => {
		putAfterCreate('wait');
		time.onSleep = stopExecution;
		const { error } = await waitManually({ a: 'open', b: 'open' });
		expect(error?.message).toBe('The execution was cancelled');
	});

	test('but not if nothing can end it when it is published: it is refused at once', async () => {
		putAfterCreate('none');
		expect((await waitManually({ a: 'open', b: 'open' })).error?.message).toBe(NOT_REPORTED);
		putAfterCreate('wait');
		const execution = await reportedExecution(['a'], manual(), ANOTHER_SECRET);
		expect((await wait({ a: 'open' }, ['a'], {}, { execution })).error?.message).toBe(OTHER_SECRET);
		expect(time.slept).toEqual([]);
	});
});

describe('it is refused before anything waits', () => {
	test('when the service knows none of the requests: nothing would ever end it', async () => {
		const message = 'The service does not know the collection request "nothing" (HTTP 404)';
		const run = await wait({}, ['nothing', 'nothing']);
		expect(run).toMatchObject({ error: { message }, until: undefined });
	});

	test.each([
		[400, 'The service refused the request to read'],
		[403, 'The API key is not allowed to read'],
		[422, 'The service refused the request to read'],
	])('when it refuses one for good (HTTP %s)', async (status, said) => {
		const statuses = { a: 'open', b: 'open', wrong: json(status, {}) };
		const run = await wait(statuses, ['a', 'b', 'wrong']);
		const message = `${said} the collection request "wrong" (HTTP ${status})`;
		const description = matching(/ In the input, it is item 3\.$/);
		expect(run.error).toMatchObject({ message, description, context: { itemIndex: 2 } });
		expect(run.until).toBeUndefined();
	});

	test('when it refuses the key, for which no item is to blame', async () => {
		const { error } = await wait({ a: json(401, {}) }, ['a']);
		expect(error?.message).toContain('was refused (HTTP 401)');
		expect(error?.description).not.toContain('item');
	});

	test('when it is cancelled while it reads', async () => {
		const { error, until } = await wait(stopExecution, ['a']);
		expect([error?.message, until]).toEqual(['The execution was cancelled', undefined]);
	});

	test('for an item without a request ID', async () => {
		const execution = newExecution();
		const { error, sent } = await wait({}, ['a', { accepted: [] }], {}, { execution });
		const description = matching(/ for item 2\. The previous node may have dropped it\.$/);
		expect(error).toMatchObject({ message: 'Request ID is empty', description });
		expect([error?.context.itemIndex, sent]).toEqual([1, 0]);
	});

	test.each([
		['Always Output Data', 'would send an empty item out of Done', { alwaysOutputData: true }],
		['Execute Once', 'would leave out all input items but the first', { executeOnce: true }],
	])('with %s, which %s', async (setting, effect, settings) => {
		const { error, sent } = await wait({}, ['a', 'b'], {}, { settings });
		const message = `${setting} cannot be used with this operation`;
		expect([error, sent]).toMatchObject([{ message, description: containing(effect) }, 0]);
	});

	test("with a limit, beside another n8n-workflow than n8n's own, which another package has brought", async () => {
		const execution = await reportedExecution(['a']);
		// Loaded with a copy of n8n-workflow of its own.
		jest.unmock('n8n-workflow');
		await jest.isolateModulesAsync(async () => {
			const { DataCollection } = await import('../../nodes/DataCollection/DataCollection.node.ts');
			const shadowed = new DataCollection();
			jest.spyOn(action, 'execute').mockImplementation(function (this: IExecuteFunctions) {
				return shadowed.execute.call(this);
			});
		});
		const limit = { limitWaitTime: true };
		const { error, sent } = await wait({ a: 'open' }, ['a'], limit, { execution });
		jest.restoreAllMocks();
		const message = 'Limit Wait Time cannot tell whether this n8n is 2.39 or newer';
		const description = containing('Delete the folder n8n-workflow');
		expect(error).toMatchObject({ message, description });
		expect(sent).toBe(0);
	});
});

// n8n takes up to a millisecond for each expression, and does nothing else meanwhile.
describe('for thousands of input items', () => {
	/** How often the node asks n8n for Request ID. */
	function counted() {
		const asked = { times: 0 };
		beforeExecution((context) => {
			const get = context.getNodeParameter.bind(context) as (...given: unknown[]) => never;
			context.getNodeParameter = (...given: unknown[]) => {
				if (given[0] === 'requestId') asked.times += 1;
				return get(...given);
			};
		});
		return asked;
	}

	test.each(['={{ $json.requestId }}', '={{$json["requestId"]}}'])(
		'it evaluates %s once for each collection request',
		async (requestId) => {
			const execution = await reportedExecution([]);
			const asked = counted();
			const ids = idsOf(50);
			const input = Array(100).fill(ids).flat() as string[];
			const run = await wait(allOf(ids, 'completed'), input, { requestId }, { execution });
			expect(run.json.map((item) => item.requestId)).toEqual(ids);
			expect(asked.times).toBe(50);
		},
	);

	test('it evaluates any other expression for each item', async () => {
		const requestId = '={{ $json.requestId + ($itemIndex % 2) }}';
		const run = await wait({ a0: 'completed', a1: 'completed' }, ['a', 'a'], { requestId });
		expect(run.json).toMatchObject([{ requestId: 'a0' }, { requestId: 'a1' }]);
	});

	test('it stops at the first that is too much', async () => {
		const asked = counted();
		const execution = newExecution();
		const { error } = await wait({}, idsOf(5_000), {}, { execution });
		const message = 'Wait takes up to 1,000 collection requests at a time';
		expect(error).toMatchObject({ message, context: { itemIndex: 1_000 } });
		expect(asked.times).toBe(1_001);
	});
});
