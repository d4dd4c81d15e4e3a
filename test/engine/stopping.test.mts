import type { INodeParameters } from 'n8n-workflow';
import { expectNoSecrets, runAction, runOk } from './support/engine.mts';
import type { Answer, Received } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { containing } from './support/matchers.mts';
import { actionAt } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const CREATE = {
	resource: 'collectionRequest',
	operation: 'create',
	templateId: '=t{{ $json.n }}',
};
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ n: index }));
const itemOf = ({ body }: Received) =>
	Number((JSON.parse(body) as { templateId: string }).templateId.slice(1));

/** Answers by the number of the item; the others are created as `r-<n>`. */
const byItem =
	(special: Record<number, Answer>): Answer =>
	(response, request, index) => {
		const n = itemOf(request);
		(special[n] ?? json(201, { _id: `r-${n}` }))(response, request, index);
	};

/** Two answers, the second of which is given once the node has received the first. */
function oneAfterTheOther(first: Answer, second: (n: number) => Answer) {
	let release = () => {};
	const received = new Promise<void>((resolve) => {
		release = resolve;
	});
	return {
		first: ((response, ...rest) => {
			// n8n closes the connection when it has read the response.
			response.socket?.once('close', release);
			first(response, ...rest);
		}) satisfies Answer,
		second:
			(n: number): Answer =>
			(...args) =>
				void received.then(() => second(n)(...args)),
	};
}

async function runItems(
	answer: Answer,
	count: number,
	concurrency: number,
	onError: 'stopWorkflow' | 'continueRegularOutput' = 'stopWorkflow',
	parameters: INodeParameters = CREATE,
) {
	return await withFaultServer(answer, async ({ url, requests }) => {
		const outcome = await runAction({
			parameters: { ...parameters, options: { concurrency } },
			input: items(count),
			credential: { productionBaseUrl: url },
			settings: { onError },
		});
		expectNoSecrets(outcome.run);
		return { ...outcome, sent: requests.map(itemOf) };
	});
}

describe('an item fails and the node stops', () => {
	test('those under way finish, no others start, and what was created is told', async () => {
		const created = (n: number) => json(201, { _id: `r-${n}` });
		const { first, second } = oneAfterTheOther(json(422, {}), created);
		const answer = byItem({ 2: first, 0: second(0), 1: second(1) });
		const { error, sent, json: out } = await runItems(answer, 20, 3);
		expect(sent.sort()).toEqual([0, 1, 2]);
		expect(out).toEqual([]);
		expect(error).toMatchObject({
			message: 'The service refused the request (HTTP 422)',
			description: containing(
				'Before this, 2 collection requests were created: r-0, r-1. A new execution would create them again.',
			),
			context: { itemIndex: 2 },
		});
	});

	test('the failures of others are told too', async () => {
		const { first, second } = oneAfterTheOther(json(409, {}), () => json(503, {}));
		const answer = byItem({ 0: first, 1: second(1) });
		const { error } = await runItems(answer, 9, 2);
		expect(error).toMatchObject({
			message: containing('(HTTP 409)'),
			description: containing(
				'Item 1 did not succeed either: The service is not able to respond at the moment (HTTP 503). The collection request may exist all the same.',
			),
			context: { itemIndex: 0 },
		});
	});

	test('reads leave nothing behind that had to be told', async () => {
		const read = { resource: 'collectionRequest', operation: 'get', requestId: '={{ $json.n }}' };
		const answer: Answer = (response, request, index) =>
			json(request.url.endsWith('/2') ? 404 : 200, { _id: `r${index}` })(response, request, index);
		await withFaultServer(answer, async ({ url, requests }) => {
			const { error } = await runAction({
				parameters: { ...read, options: { concurrency: 1 } },
				input: items(5),
				credential: { productionBaseUrl: url },
			});
			expect(error?.message).toMatch(/^The service does not know the collection request "2"/);
			expect(error?.description).not.toContain('created');
			// The last one asks whether a share has the ID.
			expect(requests.map((request) => request.url)).toEqual([
				'/di/collection-request/0',
				'/di/collection-request/1',
				'/di/collection-request/2',
				'/di/share/2',
			]);
		});
	});
});

test('with Continue On Fail all items are sent once, whatever the concurrency', async () => {
	for (const concurrency of [1, 3, 50]) {
		const answer = byItem({ 3: json(422, {}), 7: json(500, {}) });
		const {
			sent,
			json: out,
			items: whole,
		} = await runItems(answer, 10, concurrency, 'continueRegularOutput');
		expect(sent.sort((a, b) => a - b)).toEqual(items(10).map(({ n }) => n));
		expect(out.map(({ _id, error }) => _id ?? error)).toEqual(
			items(10).map(({ n }) =>
				n === 3 ? containing('422') : n === 7 ? containing('may exist all the same') : `r-${n}`,
			),
		);
		expect(whole.map(({ pairedItem }) => pairedItem)).toEqual(
			items(10).map(({ n }) => ({ item: n })),
		);
	}
});

test('never more requests are under way than Concurrency says, and as many as it says', async () => {
	let most = 0;
	let held: Array<() => void> = [];
	// Nothing is answered before as many are under way as there may be, and one more had its chance.
	const answer: Answer = (response, request, index) => {
		held.push(() => json(201, { _id: String(index) })(response, request, index));
		most = Math.max(most, held.length);
		if (held.length !== 4) return;
		setTimeout(() => {
			for (const release of held) release();
			held = [];
		}, 20);
	};
	const { sent } = await runItems(answer, 12, 4);
	expect(sent).toHaveLength(12);
	expect(most).toBe(4);
});

test.each(['0', '51', '1.5', '={{ "many" }}'])(
	'a concurrency of %s is refused before anything is sent',
	async (concurrency) => {
		await withFaultServer(json(201, { _id: '1' }), async ({ url, requests }) => {
			const { error } = await runAction(actionAt('create', url, { options: { concurrency } }));
			expect(error?.message).toBe('Concurrency is not a whole number from 1 to 50');
			expect(requests).toEqual([]);
		});
	},
);

test('one item gets 429: the others hold back with it, and nothing is sent meanwhile', async () => {
	const arrivals: Array<{ n: number; at: number }> = [];
	const started = time.now();
	const others: Array<() => void> = [];
	let refuse = () => {};
	// The refusal goes out once all four are under way, the other answers once the pause has begun.
	const answer: Answer = (response, request, index) => {
		const n = itemOf(request);
		arrivals.push({ n, at: time.now() });
		const create = () => json(201, { _id: `r-${n}` })(response, request, index);
		if (arrivals.length > 4) return create();
		if (index === 0) {
			refuse = () => json(429, {}, { 'retry-after': '10' })(response, request, index);
		} else others.push(create);
		if (arrivals.length === 4) refuse();
	};
	time.onSleep = () => {
		for (const create of others.splice(0)) create();
	};
	const { error, json: out } = await runItems(answer, 12, 4);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(12);
	const after = arrivals.filter(({ at }) => at > started);
	expect(arrivals.length - after.length).toBe(4);
	expect(after).toHaveLength(9);
	for (const { at } of after) expect(at).toBeGreaterThanOrEqual(started + 10_000);
});

test('items that hold back for long still have their whole time to be created', async () => {
	// Answered at once: while a create is under way, the pauses of others let virtual time pass.
	const answer: Answer = (response, request, index) => {
		if (itemOf(request) < 6) json(429, {}, { 'retry-after': '29' })(response, request, index);
		else json(201, { _id: `r-${index}` })(response, request, index);
	};
	const { json: out } = await runItems(answer, 8, 2, 'continueRegularOutput');
	expect(out.slice(0, 6).every(({ error }) => /429/.test(JSON.stringify(error)))).toBe(true);
	expect(out.slice(6)).toEqual([
		expect.objectContaining({ _id: containing('r-') }),
		expect.objectContaining({ _id: containing('r-') }),
	]);
});

test('a field error that the service sends with a success never looks like a failure', async () => {
	const answer = json(201, { _id: '1', error: 'but not really' });
	await withFaultServer(answer, async ({ url, requests }) => {
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const item = await runOk({ ...actionAt('create', url), settings });
		expect(item).toMatchObject({ _id: '1', serviceError: 'but not really' });
		expect(item).not.toHaveProperty('error');
		expect(requests).toHaveLength(1);
	});
});

describe('many participants', () => {
	const list = (count: number) =>
		Array.from({ length: count }, (_, n) => ({ name: `P${n}`, email: `p${n}@example.com` }));
	const share = (count: number) => ({
		_id: 's1',
		participants: list(count).map((accountSnapshot) => ({ accountSnapshot, roles: ['sharer'] })),
	});
	const read = { resource: 'share', operation: 'get', shareBy: 'shareId', shareId: 's1' };

	test('10,000 in a share arrive complete', async () => {
		await withFaultServer(json(200, share(10_000)), async ({ url, requests }) => {
			const item = await runOk({ parameters: read, credential: { productionBaseUrl: url } });
			expect(item.participants).toHaveLength(10_000);
			expect(requests).toHaveLength(1);
		});
	});

	test('200,000 in a create: one request, the item intact, memory bounded', async () => {
		const participants = list(200_000);
		const bytes = JSON.stringify(participants).length;
		const before = process.memoryUsage().heapUsed;
		const answer: Answer = (response, request, index) =>
			json(201, { _id: '1', length: request.body.length })(response, request, index);
		await withFaultServer(answer, async ({ url, requests }) => {
			const item = await runOk({
				parameters: {
					...CREATE,
					templateId: 't',
					participantsMode: 'json',
					participantsJson: JSON.stringify(participants),
				},
				credential: { productionBaseUrl: url },
			});
			expect(requests).toHaveLength(1);
			expect(item._id).toBe('1');
			expect(Number(item.length)).toBeGreaterThan(bytes);
		});
		expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * bytes);
	});
});
