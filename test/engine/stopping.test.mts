import type { INode } from 'n8n-workflow';
import { runAction, runOk } from './support/engine.mts';
import type { Answer, Received } from './support/faultServer.mts';
import { by, json } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';
import { CREATE } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const itemOf = ({ body }: Received) =>
	Number((JSON.parse(body) as { templateId: string }).templateId.slice(1));
const created = (n: number) => json(201, { _id: `r-${n}` });

/** Answers by the number of the item; the others are created as `r-<n>`. */
const byItem = (special: Record<number, Answer>): Answer =>
	by((request) => special[itemOf(request)] ?? created(itemOf(request)));

/** Two answers, the second of which is given once the node has received the first. */
function oneAfterTheOther(first: Answer, second: (n: number) => Answer) {
	let release = () => {};
	const received = new Promise<void>((resolve) => (release = resolve));
	const early: Answer = (response, ...rest) => {
		// n8n closes the connection when it has read the response.
		response.socket?.once('close', release);
		first(response, ...rest);
	};
	const late =
		(n: number): Answer =>
		(...args) =>
			void received.then(() => second(n)(...args));
	return { early, late };
}

/** Creates a request for each of so many items; also the numbers of those that were sent. */
async function create(
	answer: Answer,
	count: number,
	concurrency: number,
	settings?: Partial<INode>,
) {
	const run = await runAction({
		parameters: { ...CREATE, templateId: '=t{{ $json.n }}', options: { concurrency } },
		input: numbersTo(count).map((n) => ({ n })),
		answer,
		settings,
	});
	return { ...run, sentItems: run.requests.map(itemOf).sort((a, b) => a - b) };
}

const GO_ON: Partial<INode> = { onError: 'continueRegularOutput' };

describe('an item fails and the node stops', () => {
	test('those under way finish, no others start, and what was created is told', async () => {
		const { early, late } = oneAfterTheOther(json(422, {}), created);
		const answer = byItem({ 2: early, 0: late(0), 1: late(1) });
		const { error, sentItems, json: out } = await create(answer, 20, 3);
		expect([sentItems, out]).toEqual([[0, 1, 2], []]);
		expect(error).toMatchObject({
			message: 'The service refused the request (HTTP 422)',
			description: containing(
				'Before this, 2 collection requests were created: r-0, r-1. A new execution would create them again.',
			),
			context: { itemIndex: 2 },
		});
	});

	test('the failures of others are told too', async () => {
		const { early, late } = oneAfterTheOther(json(409, {}), () => json(503, {}));
		const { error } = await create(byItem({ 0: early, 1: late(1) }), 9, 2);
		expect(error).toMatchObject({
			message: containing('(HTTP 409)'),
			description: containing(
				'Item 1 did not succeed either: The service is temporarily unavailable (HTTP 503). The collection request may have been created anyway.',
			),
			context: { itemIndex: 0 },
		});
	});
});

test.each([1, 3, 50])(
	'with Continue On Fail all items are sent once, %i at a time',
	async (concurrency) => {
		const answer = byItem({ 3: json(422, {}), 7: json(500, {}) });
		const { sentItems, json: out, items } = await create(answer, 10, concurrency, GO_ON);
		expect(sentItems).toEqual(numbersTo(10));
		const expected: unknown[] = numbersTo(10).map((n) => `r-${n}`);
		expected[3] = containing('422');
		expected[7] = containing('may have been created anyway');
		expect(out.map(({ _id, error }) => _id ?? error)).toEqual(expected);
		expect(items).toMatchObject(numbersTo(10).map((item) => ({ pairedItem: { item } })));
	},
);

test('one item gets 429: the others hold back with it, and nothing is sent meanwhile', async () => {
	const arrivals: number[] = [];
	const started = time.now();
	const others: Array<() => void> = [];
	let refuse = () => {};
	// The refusal goes out once all four are under way, the other answers once the pause has begun.
	const answer: Answer = (...given) => {
		arrivals.push(time.now());
		const respond = () => created(itemOf(given[1]))(...given);
		if (arrivals.length > 4) return respond();
		if (arrivals.length === 1) refuse = () => json(429, {}, { 'retry-after': '10' })(...given);
		else others.push(respond);
		if (arrivals.length === 4) refuse();
	};
	time.onSleep = () => {
		for (const respond of others.splice(0)) respond();
	};
	const { error, json: out } = await create(answer, 12, 4);
	expect([error, out.length]).toEqual([undefined, 12]);
	const after = arrivals.filter((at) => at > started);
	expect([arrivals.length, after.length]).toEqual([13, 9]);
	for (const at of after) expect(at).toBeGreaterThanOrEqual(started + 10_000);
});

test('items that hold back for long still have their whole time to be created', async () => {
	// Answered at once: while a create is under way, the pauses of others let virtual time pass.
	const busy = json(429, {}, { 'retry-after': '29' });
	const answer = byItem(Object.fromEntries(numbersTo(6).map((n) => [n, busy])));
	const { json: out } = await create(answer, 8, 2, GO_ON);
	expect(out).toMatchObject([
		...numbersTo(6).map(() => ({ error: containing('429') })),
		{ _id: 'r-6' },
		{ _id: 'r-7' },
	]);
});

test('a field error that the service sends with a success never looks like a failure', async () => {
	const { item, sent } = await runOk({
		parameters: CREATE,
		answer: json(201, { _id: '1', error: 'but not really' }),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
	});
	expect(item).toMatchObject({ _id: '1', serviceError: 'but not really' });
	expect(item).not.toHaveProperty('error');
	expect(sent).toBe(1);
});

test('10,000 participants in a share arrive complete', async () => {
	const participants = numbersTo(10_000).map((n) => ({
		accountSnapshot: { name: `P${n}`, email: `p${n}@example.com` },
		roles: ['sharer'],
	}));
	const { item, sent } = await runOk({
		parameters: { resource: 'share', operation: 'get', shareBy: 'shareId', shareId: 's1' },
		answer: json(200, { _id: 's1', participants }),
	});
	expect(item.participants).toHaveLength(10_000);
	expect(sent).toBe(1);
});
