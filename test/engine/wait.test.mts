import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { CREDENTIAL } from './support/storedCredential.mts';
import {
	action,
	beforeExecution,
	newExecution,
	runError,
	stopExecution,
	type Execution,
} from './support/engine.mts';
import { json, type Answer } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import {
	allOf,
	idsOf,
	itemsOf,
	LIMIT,
	reportedExecution,
	service,
	type Statuses,
	wait,
	WAIT,
} from './support/waitNode.mts';

// How a wait begins. How it ends is in `waits-end.test.mts` and in `resumes-once.test.mts`.

const time = useVirtualTime();
const open = service({ a: 'open', b: 'open' });
const linkOf = (id: string) => `https://collect.example.com/request/${id}`;
const AT_ONCE = { until: undefined, error: undefined };
const FOR_EVER = { until: WAIT_INDEFINITELY };

/** All that leaves by Timed Out for a collection request. */
const timedOutItem = (requestId: string) => ({
	requestId,
	guestLink: linkOf(requestId),
	timedOut: true,
});

describe('it goes on at once', () => {
	test('when all are there: each comes out once, linked to the item that names it, if one does', async () => {
		const answer = service({ a: 'completed', b: 'Completed' });
		const run = await wait(answer, itemsOf('b', `${linkOf('a')}?x=1`, 'b'));
		expect(run).toMatchObject({ ...AT_ONCE, hints: [] });
		const itemOf = (id: string, shareStatus: string) => ({
			requestId: id,
			guestLink: linkOf(id),
			_id: id,
			title: `Title ${id}`,
			shareStatus,
			isReached: true,
			notification: null,
			timedOut: false,
		});
		expect(run.json).toEqual([itemOf('b', 'Completed'), itemOf('a', 'completed')]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([[], { item: 1 }]);
		expect(run.outputs[1]).toEqual([]);
		expect(run.urls.toSorted()).toEqual(['/di/collection-request/a', '/di/collection-request/b']);
	});

	test.each<[string, INodeParameters]>([
		['Open or Completed: those that are completed by now are there, too', { waitFor: 'open' }],
		[
			'a text lists the statuses',
			{ waitFor: 'statuses', waitForStatuses: '={{ "open, closed" }}' },
		],
	])('%s', async (_title, parameters) => {
		const other = parameters.waitFor === 'open' ? 'completed' : 'closed';
		const run = await wait(service({ a: 'open', b: other }), itemsOf('a', 'b'), parameters);
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ shareStatus: 'open' }, { shareStatus: other }]);
	});

	test('when all the others are there, and the service does not return one of them', async () => {
		const run = await wait(service({ a: 'completed' }), itemsOf('a', 'gone'));
		expect(run).toMatchObject({ ...AT_ONCE, sent: 2 });
		expect(run.json).toMatchObject([
			{ requestId: 'a', isReached: true },
			{ requestId: 'gone', isReached: false, readError: containing('HTTP 404') },
		]);
	});

	test('with Number to Wait For when so many are there, although another cannot be read', async () => {
		const answer = service({ a: 'completed', b: json(500, {}), c: 'completed' });
		const run = await wait(answer, itemsOf('a', 'b', 'c'), { options: { numberToWaitFor: 2 } });
		expect(run).toMatchObject({ ...AT_ONCE, json: [{ requestId: 'a' }, { requestId: 'c' }] });
	});

	test('when the last one completes while it reads the others', async () => {
		const ids = idsOf(20);
		const statuses = { ...allOf(ids, 'completed'), r0: 'open' };
		const answer = service(statuses);
		const run = await wait(
			(...call) => {
				if (call[2] === 19) {
					time.advance(1_000);
					statuses.r0 = 'completed';
				}
				answer(...call);
			},
			itemsOf(...ids),
		);
		expect(run).toMatchObject({ ...AT_ONCE, sent: 21 });
	});

	test('although the token ID equals the status, which comes out hidden', async () => {
		const credential = { tokenId: 'completed' };
		const run = await wait(service({ a: 'completed' }), itemsOf('a'), {}, { credential });
		expect(run).toMatchObject({ ...AT_ONCE, json: [{ requestId: 'a', shareStatus: '(hidden)' }] });
	});
});

describe('it waits', () => {
	test('when one is not there yet, and stores what was evaluated', async () => {
		const input = [{ requestId: 'a', until: ['completed', 'closed'] }, { requestId: 'b' }];
		const statuses = { waitFor: 'statuses', waitForStatuses: '={{ $json.until }}' };
		const options = { maximumAge: 60 };
		const answer = service({ a: 'completed', b: 'open' });
		const run = await wait(answer, input, { ...statuses, options });
		expect(run).toMatchObject(FOR_EVER);
		expect(run.kept).toEqual({
			executionId: run.execution.id,
			startedAt: time.now(),
			endsAt: WAIT_INDEFINITELY.getTime(),
			maximumAge: 60,
			requestIds: ['a', 'b'],
			statuses: ['completed', 'closed'],
			needed: 2,
			reached: [['a', 'completed']],
		});
	});

	test('until the limit, which each field may give by an expression', async () => {
		const inTwoDays = new Date(time.now() + 2 * 86_400_000);
		const input = [{ requestId: 'a', until: inTwoDays.toISOString() }];
		const { until } = await wait(open, input, {
			limitWaitTime: true,
			limitType: 'atSpecifiedTime',
			maxDateAndTime: '={{ $json.until }}',
		});
		expect(until).toEqual(inTwoDays);
	});

	// With an error output, n8n empties what the node has returned.
	test('and if the limit ends it, all leave by Timed Out, and claim nothing', async () => {
		const input = [{ requestId: 'a', isReached: true }, { requestId: 'b' }];
		const settings = { onError: 'continueErrorOutput' as const };
		const answer = service({ a: 'completed', b: 'open' });
		const { timedOut } = await wait(answer, input, LIMIT, { settings });
		expect(timedOut).toEqual([
			{ json: timedOutItem('a'), pairedItem: { item: 0 } },
			{ json: timedOutItem('b'), pairedItem: { item: 1 } },
		]);
	});

	test('for 100, each read once, at most 20 at a time', async () => {
		const answer = service(allOf(idsOf(100), 'open'));
		const held: Array<() => void> = [];
		let most = 0;
		// The first 20 respond a while later: one more would come in the meantime.
		const slow: Answer = (...received) => {
			if (most > 0) return answer(...received);
			if (held.push(() => answer(...received)) !== 20) return;
			setTimeout(() => {
				most = held.length;
				for (const respond of held) respond();
			}, 100);
		};
		const run = await wait(slow, itemsOf(...idsOf(100)));
		expect(run).toMatchObject({ ...FOR_EVER, sent: 100 });
		expect(new Set(run.urls).size).toBe(100);
		expect(most).toBe(20);
	});

	test.each<[string, Answer]>([
		['hang', () => void setImmediate(() => time.advance(30_000))],
		['fail', json(500, {})],
	])('although its reads %s: as long as the retries last', async (_title, answer) => {
		const run = await wait(answer, itemsOf('a', 'b'));
		// Both are read twice, with three attempts at most.
		expect(run.urls.length).toBeLessThanOrEqual(2 * 2 * 3);
		expect(run).toMatchObject(FOR_EVER);
	});

	test('for the others when the service does not return one of them', async () => {
		expect(await wait(open, itemsOf('nothing', 'a'))).toMatchObject(FOR_EVER);
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

const NOWHERE = 'Nothing can end this wait: no status changes are reported to this execution';

describe('a wait that nothing can end is refused', () => {
	const refused = (message: string) => ({ error: { message }, until: undefined });

	test('when no Create has reported to it, whatever its parameters say', async () => {
		putAfterCreate('wait');
		const run = await wait(open, itemsOf('a'), {}, { execution: newExecution() });
		expect(run).toMatchObject(refused(NOWHERE));
		expect(run.error?.description).toContain('in "Ask them" on "A Wait Later');
	});

	test('when one of several is not reported', async () => {
		const execution = await reportedExecution(['a']);
		const run = await wait(open, itemsOf('a', 'b'), {}, { execution });
		expect(run).toMatchObject(refused(NOWHERE));
	});

	test('after a retry, because the service still reports to the first execution', async () => {
		const { contextData } = await reportedExecution(['a']);
		const execution = { ...newExecution(), contextData };
		const run = await wait(open, itemsOf('a'), {}, { execution });
		expect(run).toMatchObject(refused(NOWHERE));
		expect(run.error?.description).toContain('when an execution is retried');
	});

	test('when its credential has another webhook secret than that of Create', async () => {
		const credential = { webhookSecret: 'a webhook secret of another credential' };
		const run = await wait(open, itemsOf('a'), {}, { credential });
		const message =
			'Nothing can end this wait: its credential has another webhook secret than that of Create';
		expect(run).toMatchObject(refused(message));
		const none = await wait(open, itemsOf('a'), {}, { credential: { webhookSecret: '' } });
		expect(none).toMatchObject(
			refused('Nothing can end this wait: its credential has no webhook secret'),
		);
		const previousWebhookSecrets = CREDENTIAL.webhookSecret;
		const both = { credential: { ...credential, previousWebhookSecrets } };
		expect(await wait(open, itemsOf('a'), {}, both)).toMatchObject(FOR_EVER);
		// Of several, one with another secret is enough to refuse it.
		const execution = await reportedExecution(['b'], await reportedExecution(['a']), credential);
		const several = await wait(open, itemsOf('a', 'b'), {}, { execution });
		expect(several).toMatchObject(refused(message));
	});

	test.each<[string, INodeParameters]>([
		['it has a limit', LIMIT],
		['it ends at once', { waitFor: 'open' }],
	])('but not when %s', async (_title, parameters) => {
		const run = await wait(open, itemsOf('a'), parameters, { execution: newExecution() });
		expect(run.error).toBeUndefined();
	});
});

describe('in a manual execution it looks for itself', () => {
	const manual = (): Execution => ({ ...newExecution(), mode: 'manual' });
	const waitManually = async (answer: Answer, parameters = {}, execution = manual()) =>
		await wait(answer, itemsOf('a', 'b'), parameters, { execution });

	test('every five seconds, until all are there', async () => {
		putAfterCreate('wait');
		const statuses: Statuses = { a: 'open', b: 'completed' };
		time.onSleep = () => {
			if (time.slept.length === 3) statuses.a = 'completed';
		};
		const run = await waitManually(service(statuses));
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ shareStatus: 'completed' }, { shareStatus: 'completed' }]);
		expect(time.slept).toEqual([5_000, 5_000, 5_000]);
		expect(run.urls.filter((url) => url.endsWith('/b'))).toHaveLength(1);
	});

	const nowhere = { error: { message: NOWHERE } };
	const message =
		'After ten minutes of looking, 0 of 2 collection requests have the awaited status: "a" is open, "b" is open';
	const seen = {
		error: { message, description: containing('Another execution has created them') },
	};

	test.each([
		['waits as in production', 'wait', ['a', 'b'], { ...FOR_EVER, error: undefined }],
		['says what it saw if nothing is reported to this execution', 'wait', [], seen],
		['says it if an expression decides that, too', '={{ $json.notify }}', ['a'], seen],
	])('for ten minutes, and then %s', async (_title, notify, reported, outcome) => {
		const execution = await reportedExecution(reported, manual());
		putAfterCreate(notify);
		const before = time.now();
		expect(await waitManually(open, {}, execution)).toMatchObject(outcome);
		expect(time.now() - before).toBe(600_000);
	});

	test('and says nothing of a secret that the service repeats as a status', async () => {
		putAfterCreate('wait');
		const answer = service({ a: CREDENTIAL.apiKey, b: 'open' });
		const { error } = await waitManually(answer);
		expect(error?.message).toMatch(/: "a" is \(hidden\), "b" is open$/);
	});

	test('until the limit, and then leaves by Timed Out at once', async () => {
		const before = time.now();
		const run = await waitManually(open, { ...LIMIT, resumeAmount: 1 });
		expect(run).toMatchObject({ ...AT_ONCE, json: [] });
		const [first] = run.outputs[1] ?? [];
		expect(first).toEqual({ json: timedOutItem('a'), pairedItem: { item: 0 } });
		expect(time.now() - before).toBe(60_000);
	});

	test('until it is cancelled', async () => {
		putAfterCreate('wait');
		time.onSleep = stopExecution;
		const { error } = await waitManually(open);
		expect(error?.message).toBe('The execution was cancelled');
	});

	test('but is refused first when it has another webhook secret, as when it is published', async () => {
		putAfterCreate('wait');
		const execution = await reportedExecution(['a', 'b'], manual());
		const credential = { webhookSecret: 'a webhook secret of another credential' };
		const run = await wait(open, itemsOf('a', 'b'), {}, { execution, credential });
		expect(run.error?.message).toContain('its credential has another webhook secret');
		expect(time.slept).toEqual([]);
	});

	test('but is refused first when its Create reports to nobody', async () => {
		putAfterCreate('none');
		expect(await waitManually(open)).toMatchObject(nowhere);
		expect(time.slept).toEqual([]);
	});
});

describe('it is refused before anything waits', () => {
	test('when the service knows none of the requests: nothing would ever end it', async () => {
		const message = 'The service does not know the collection request "nothing" (HTTP 404)';
		const run = await wait(open, itemsOf('nothing', 'nothing'));
		expect(run).toMatchObject({ error: { message }, until: undefined });
	});

	test.each([400, 409, 422])('when it refuses a wrong ID (HTTP %s)', async (status) => {
		const answer = service({ a: 'open', b: 'open', wrong: json(status, {}) });
		const run = await wait(answer, itemsOf('a', 'b', 'wrong'));
		const message = `The service refused the request to read the collection request "wrong" (HTTP ${status})`;
		expect(run).toMatchObject({ error: { message, context: { itemIndex: 2 } }, until: undefined });
		expect(run.error?.description).toMatch(/ In the input, it is item 3\.$/);
	});

	test('when it refuses the key, for which no item is to blame', async () => {
		const run = await wait(service({ a: json(401, {}) }), itemsOf('a'));
		expect(run.error).toMatchObject({ message: containing('was refused (HTTP 401)') });
		expect(run.error?.description).not.toContain('item');
	});

	test('when it is cancelled while it reads', async () => {
		const message = 'The execution was cancelled';
		const run = await wait(stopExecution, itemsOf('a'));
		expect(run).toMatchObject({ error: { message }, until: undefined });
	});

	test('for an item without a request ID', async () => {
		const input = [{ requestId: 'a' }, { accepted: [] }];
		const run = await wait(open, input, {}, { execution: newExecution() });
		const error = { message: 'Request ID is empty', context: { itemIndex: 1 } };
		expect(run).toMatchObject({ error, sent: 0 });
		expect(run.error?.description).toMatch(
			/ for item 2\. The previous node may have dropped it\.$/,
		);
	});

	test('with Always Output Data, which would send an empty item out of Done', async () => {
		const settings = { alwaysOutputData: true };
		const run = await wait(open, itemsOf('a'), {}, { settings });
		const message = 'Always Output Data cannot be used with this operation';
		expect(run).toMatchObject({ error: { message }, sent: 0 });
	});
});

test("beside another n8n-workflow than n8n's own, a limit is refused before anything is asked", async () => {
	await jest.isolateModulesAsync(async () => {
		// Loaded with a copy of n8n-workflow of its own.
		const { DataCollection } = await import('../../nodes/DataCollection/DataCollection.node.ts');
		const shadowed = new DataCollection();
		jest.spyOn(action, 'execute').mockImplementation(function (this: IExecuteFunctions) {
			return shadowed.execute.call(this);
		});
	});
	const parameters = { ...WAIT, ...LIMIT };
	const error = await runError({ parameters, input: itemsOf('a'), answer: open });
	jest.restoreAllMocks();
	expect(error).toMatchObject({
		message: 'Limit Wait Time cannot tell whether this n8n is 2.39 or newer',
		description: containing('Delete the folder n8n-workflow'),
		sent: 0,
	});
});
