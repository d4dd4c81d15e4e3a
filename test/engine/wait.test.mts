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

	test('until the limit, which each field may give by an expression', async () => {
		const inTwoDays = new Date(Date.now() + 2 * 86_400_000);
		const input = [{ requestId: 'a', until: inTwoDays.toISOString() }];
		const { until } = await wait(open, input, {
			limitWaitTime: true,
			limitType: 'atSpecifiedTime',
			maxDateAndTime: '={{ $json.until }}',
		});
		expect(until).toEqual(inTwoDays);
	});

	test('for ever when the limit is beyond what n8n can compare', async () => {
		const limit = { limitWaitTime: true, resumeAmount: 3_000_000, resumeUnit: 'days' };
		expect(await wait(open, itemsOf('a'), limit)).toMatchObject(FOR_EVER);
	});

	test('and hands its input on in the end, with its own names and the files', async () => {
		const binary = { data: { data: 'aGVsbG8=', mimeType: 'text/plain' } };
		beforeExecution((context) => {
			for (const item of context.getInputData()) item.binary = binary;
		});
		const input = [
			{ requestId: 'another', guestLink: 'x', timedOut: 'no', error: 'e', id: 'a' },
			{ name: 'Zoe', id: 'b' },
		];
		const { expired } = await wait(open, input, { requestId: '={{ $json.id }}' });
		expect(expired).toEqual(
			['a', 'b'].map((requestId, item) => ({
				json: { ...input[item], requestId, guestLink: linkOf(requestId), timedOut: true },
				binary,
				pairedItem: { item },
			})),
		);
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
		const message = containing(
			'"Ask them" sends no notifications, and this wait has no time limit',
		);
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

	test('for an item without a request ID, and shows where to take it from', async () => {
		const run = await wait(open, [{ requestId: 'a' }, { accepted: [] }]);
		const error = { message: 'Request ID is empty', context: { itemIndex: 1 } };
		expect(run).toMatchObject({ error, sent: 0 });
	});

	test('inside the process of an older agent, whose input stays as it was', async () => {
		const agent = putIntoAgent();
		const before = structuredClone(agent.data);
		const message = 'A tool cannot wait inside the process of an AI Agent';
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
