import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import type { ActionRun } from './support/engine.mts';
import { runAction, stopExecution } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { having, json } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { CREATE, READ } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { beforeExecution, putAfterCreate, putIntoAgent } from './support/workflow.mts';

const time = useVirtualTime();

const linkOf = (id: string) => `https://collect.example.com/request/${id}`;

/** A service whose requests have these statuses; `shareId` only once one is completed. */
const service = (statuses: Record<string, string>): Answer =>
	having(
		Object.fromEntries<object>(
			Object.entries(statuses).flatMap(([id, shareStatus]) => {
				const shareId = shareStatus === 'completed' ? `s-${id}` : undefined;
				const request = { _id: id, title: `Title ${id}`, shareStatus, shareId };
				const share = { _id: `s-${id}`, status: 'completed' };
				return [
					[`collection-request/${id}`, request],
					[`share/s-${id}`, share],
				];
			}),
		),
	);

const open = service({ a: 'open', b: 'open' });
const itemsOf = (...ids: string[]): IDataObject[] => ids.map((requestId) => ({ requestId, n: 1 }));

/** Runs the node; `until` is when n8n would go on, `kept` what the node stores, `expired` what n8n passes on then. */
async function wait(
	answer: Answer,
	input: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<ActionRun> = {},
) {
	const outcome = await runAction({
		parameters: { ...READ, operation: 'wait', requestId: '={{ $json.requestId }}', ...parameters },
		answer,
		input,
		...more,
	});
	const { waitTill, data } = outcome.run;
	const { contextData, nodeExecutionStack } = data.executionData ?? {};
	return {
		...outcome,
		until: waitTill ?? undefined,
		kept: contextData?.['node:Node']?.dataCollection as unknown,
		expired: nodeExecutionStack?.[0]?.data.main?.[0],
	};
}

const FOR_EVER = { until: WAIT_INDEFINITELY };
const AT_ONCE = { until: undefined, error: undefined };

describe('it goes on at once', () => {
	test('when all requests have an awaited status, whatever its case', async () => {
		const run = await wait(service({ a: 'completed', b: 'Completed' }), itemsOf('a', 'b'));
		expect(run).toMatchObject({ ...AT_ONCE, hints: [] });
		const item = (id: string, more: object) => ({
			requestId: id,
			guestLink: linkOf(id),
			_id: id,
			title: `Title ${id}`,
			notification: null,
			timedOut: false,
			...more,
		});
		expect(run.json).toEqual([
			item('a', { shareId: 's-a', shareStatus: 'completed' }),
			item('b', { shareStatus: 'Completed' }),
		]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('with the shares, if wanted', async () => {
		const options = { includeShare: true };
		const run = await wait(service({ a: 'completed' }), itemsOf('a'), { options });
		expect(run.json).toMatchObject([{ share: { _id: 's-a' } }]);
	});

	test.each([
		['that several items name only once', ['a', 'b', 'a', 'a']],
		['of more than 100 items', Array.from({ length: 240 }, (_, n) => (n % 2 === 0 ? 'a' : 'b'))],
	])('reading each request %s', async (_title, ids) => {
		const run = await wait(service({ a: 'completed', b: 'completed' }), itemsOf(...ids));
		expect(run.error).toBeUndefined();
		expect(run.json.map(({ requestId }) => requestId)).toEqual(ids);
		expect(run.urls.toSorted()).toEqual(['/di/collection-request/a', '/di/collection-request/b']);
	});

	test.each(['closed, completed', '["closed", "completed"]'])(
		'when one text lists the statuses: %s',
		async (text) => {
			const parameters = { waitForStatuses: `={{ ${JSON.stringify(text)} }}` };
			const answer = service({ a: 'completed', b: 'closed' });
			expect(await wait(answer, itemsOf('a', 'b'), parameters)).toMatchObject(AT_ONCE);
		},
	);

	test('by guest link, and with statuses of its own for each item', async () => {
		const input = [
			{ requestId: `${linkOf('a')}?x=1`, until: 'open' },
			{ requestId: 'b', until: 'completed' },
		];
		const parameters = { waitForStatuses: '={{ $json.until }}' };
		const run = await wait(service({ a: 'open', b: 'completed' }), input, parameters);
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ shareStatus: 'open' }, { shareStatus: 'completed' }]);
	});
});

describe('it waits', () => {
	test('when one is not there yet, and keeps what was evaluated', async () => {
		const input = [
			{ requestId: 'a', until: ['completed', 'closed'] },
			{ requestId: linkOf('b'), until: ['completed'] },
		];
		const parameters = {
			waitForStatuses: '={{ $json.until }}',
			options: { includeShare: true },
		};
		const run = await wait(service({ a: 'completed', b: 'open' }), input, parameters);
		expect(run).toMatchObject(FOR_EVER);
		expect(run.kept).toEqual({
			awaited: [
				{ requestId: 'a', statuses: ['completed', 'closed'] },
				{ requestId: 'b', statuses: ['completed'] },
			],
			includeShare: true,
		});
	});

	const inTwoDays = new Date(Date.now() + 2 * 86_400_000);
	const date = { limitType: 'atSpecifiedTime' };
	test.each<[string, INodeParameters]>([
		['an amount', { resumeAmount: 2, resumeUnit: 'days' }],
		['a date', { ...date, maxDateAndTime: '={{ $now.plus({ days: 2 }) }}' }],
		['a text', { ...date, maxDateAndTime: '={{ $now.plus({ days: 2 }).toISO() }}' }],
		['a text of the item', { ...date, maxDateAndTime: '={{ $json.until }}' }],
	])('until the limit, which is %s', async (_title, limit) => {
		const input = [{ requestId: 'a', until: inTwoDays.toISOString() }];
		const { until } = await wait(open, input, { limitWaitTime: true, ...limit });
		expect(Math.abs(Number(until) - Number(inTwoDays))).toBeLessThan(60_000);
	});

	test.each<[string, INodeParameters]>([
		['an amount', { resumeAmount: 3_000_000, resumeUnit: 'days' }],
		['a date', { ...date, maxDateAndTime: '+012026-01-01T00:00:00Z' }],
	])('for ever when %s is beyond what n8n can compare', async (_title, limit) => {
		const run = await wait(open, itemsOf('a'), { limitWaitTime: true, ...limit });
		expect(run).toMatchObject(FOR_EVER);
	});

	test('and hands its input on in the end', async () => {
		const input = [
			{ name: 'Ada', requestId: 'a', timedOut: false },
			{ name: 'Zoe', requestId: 'b', guestLink: 'x' },
		];
		const { expired } = await wait(open, input, { limitWaitTime: true });
		const own = (id: string) => ({ requestId: id, guestLink: linkOf(id), timedOut: true });
		expect(expired).toEqual([
			{ json: { ...own('a'), name: 'Ada' }, pairedItem: { item: 0 } },
			{ json: { ...own('b'), name: 'Zoe' }, pairedItem: { item: 1 } },
		]);
	});

	test('with its own names and the files, whatever the input has under them', async () => {
		const binary = { data: { data: 'aGVsbG8=', mimeType: 'text/plain' } };
		beforeExecution((context) => {
			for (const item of context.getInputData()) item.binary = binary;
		});
		const input = [{ requestId: 'another', guestLink: 'x', timedOut: 'no', error: 'e', id: 'a' }];
		const { expired } = await wait(open, input, { requestId: '={{ $json.id }}' });
		const own = { requestId: 'a', guestLink: linkOf('a'), timedOut: true };
		const json = { ...own, error: 'e', id: 'a' };
		expect(expired).toEqual([{ json, binary, pairedItem: { item: 0 } }]);
	});

	test("for the service's own ID, although it took another one", async () => {
		const answer = json(200, { _id: 'ab12', shareStatus: 'open' });
		const { kept, expired } = await wait(answer, itemsOf('AB12'));
		expect(kept).toMatchObject({ awaited: [{ requestId: 'ab12' }] });
		const own = { requestId: 'ab12', guestLink: linkOf('ab12'), n: 1, timedOut: true };
		expect(expired?.map((item) => item.json)).toEqual([own]);
	});

	test('and reads no share of a request that is not there yet', async () => {
		const answer = having({
			'collection-request/a': { _id: 'a', shareId: 's-a', shareStatus: 'open' },
		});
		const run = await wait(answer, itemsOf('a'), { options: { includeShare: true } });
		expect(run).toMatchObject({ ...FOR_EVER, urls: ['/di/collection-request/a'] });
	});

	test('100 requests, each read once, at most 20 at a time', async () => {
		let underWay = 0;
		let most = 0;
		const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
		const answer = service(Object.fromEntries(ids.map((id) => [id, 'open'])));
		const slow: Answer = (...received) => {
			most = Math.max(most, (underWay += 1));
			setTimeout(() => {
				underWay -= 1;
				answer(...received);
			}, 2);
		};
		const run = await wait(slow, itemsOf(...ids));
		expect(run).toMatchObject({ ...FOR_EVER, sent: 100 });
		expect(new Set(run.urls).size).toBe(100);
		expect(most).toBeLessThanOrEqual(20);
	});

	test('with Execute Once for the first item alone', async () => {
		const settings = { executeOnce: true };
		const { expired, urls } = await wait(open, itemsOf('a', 'b'), {}, { settings });
		expect(expired).toHaveLength(1);
		expect(urls).toEqual(['/di/collection-request/a']);
	});

	test.each<[string, Answer]>([
		['hang', () => void setTimeout(() => time.advance(3_000), 20)],
		['are asked to pause', json(503, {}, { 'retry-after': '6' })],
		['fail', json(500, {})],
	])('although its reads %s: at most 3 seconds, and a hint', async (_title, answer) => {
		const started = time.now();
		const run = await wait(answer, itemsOf('a', 'b'));
		expect(time.now() - started).toBeLessThanOrEqual(3_000);
		const message = containing('2 of 2 collection requests could not be read before the wait');
		expect(run).toMatchObject({ ...FOR_EVER, hints: [{ message }] });
	});
});

describe('a hint when nothing ends the wait', () => {
	test('its Create notifies nobody, and there is no limit', async () => {
		putAfterCreate('none');
		const message = containing('"Ask them" notifies nobody, and this wait has no limit');
		expect(await wait(open, itemsOf('a'))).toMatchObject({ ...FOR_EVER, hints: [{ message }] });
	});

	test.each<[string, string, INodeParameters]>([
		['its Create notifies it', 'wait', {}],
		['an expression says whom its Create notifies', '={{ $json.notify }}', {}],
		['it has a limit', 'none', { limitWaitTime: true }],
		['it is over at once', 'none', { waitForStatuses: ['open'] }],
	])('but not when %s', async (_title, notify, parameters) => {
		putAfterCreate(notify);
		const run = await wait(open, itemsOf('a'), parameters);
		expect(run).toMatchObject({ error: undefined, hints: [] });
	});
});

describe('it is refused before anything waits', () => {
	const UNKNOWN = 'The service does not know the collection request "nothing" (HTTP 404)';

	test('for a request that the service does not know: nothing would ever end it', async () => {
		const run = await wait(open, itemsOf('a', 'nothing'));
		expect(run.error).toMatchObject({ message: UNKNOWN, context: { itemIndex: 1 } });
		expect(run.until).toBeUndefined();
	});

	test('with Continue On Fail as well: each item has the error', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const run = await wait(open, itemsOf('a', 'nothing'), {}, { settings });
		expect(run).toMatchObject({ ...AT_ONCE, json: [{ error: UNKNOWN }, { error: UNKNOWN }] });
	});

	test('when it is cancelled while it reads', async () => {
		const { error, until } = await wait(stopExecution, itemsOf('a'));
		expect(error?.message).toBe('The execution was cancelled');
		expect(until).toBeUndefined();
	});

	test('for more than 100 collection requests', async () => {
		const ids = Array.from({ length: 101 }, (_, index) => `r${index}`);
		const message = 'Wait takes up to 100 collection requests at a time';
		const run = await wait(open, itemsOf(...ids));
		expect(run).toMatchObject({ error: { message, description: containing('Create') }, sent: 0 });
	});

	test('for an item without a request ID, and shows where to take it from', async () => {
		const run = await wait(open, [{ requestId: 'a' }, { accepted: [] }]);
		const error = { message: 'Request ID is empty', context: { itemIndex: 1 } };
		expect(run).toMatchObject({ error, sent: 0 });
	});

	test('inside the process of an older agent, whose input stays as it was', async () => {
		const agent = putIntoAgent();
		const before = structuredClone(agent.data);
		const message = 'Inside the process of an AI Agent a tool cannot wait';
		expect(await wait(open, itemsOf('a'))).toMatchObject({ error: { message }, sent: 0 });
		expect(agent.data).toEqual(before);
	});
});

test('Create hands out a resume URL with a path of its own, and the token stays in the query', async () => {
	const parameters = { ...CREATE, notify: 'wait' };
	const { requests } = await runAction({ parameters, answer: json(201, { _id: 'r1' }) });
	expect(JSON.parse(requests[0]?.body ?? '{}')).toMatchObject({
		webhookUrl: matching(
			/^http:\/\/localhost:5678\/webhook-waiting\/[^/?]+\/data-collection\?signature=.+$/,
		),
		webhookSecret: matching(/./),
	});
});
