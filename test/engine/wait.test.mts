import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { runAction, runError } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { containing } from './support/matchers.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { beforeExecution, putAfterCreate } from './support/workflow.mts';

const time = useVirtualTime();

const WAIT = {
	resource: 'collectionRequest',
	operation: 'wait',
	requestId: '={{ $json.requestId }}',
};
const linkOf = (id: string) => `https://collect.example.com/request/${id}`;

/** A service whose requests have these statuses; `shareId` only once one is completed. */
const service =
	(statuses: Record<string, string>): Answer =>
	(response, { url }, index) => {
		const id = url.split('/').at(-1) ?? '';
		const shareStatus = statuses[id];
		const isShare = url.includes('/share/s-');
		const body = isShare
			? { _id: id, status: 'completed' }
			: {
					_id: id,
					title: `Title ${id}`,
					shareStatus,
					...(shareStatus === 'completed' && { shareId: `s-${id}` }),
				};
		json(shareStatus === undefined && !isShare ? 404 : 200, body)(
			response,
			{ method: '', url, headers: {}, body: '' },
			index,
		);
	};

const itemsOf = (...ids: string[]): IDataObject[] => ids.map((requestId) => ({ requestId, n: 1 }));

async function wait(
	answer: Answer,
	input: IDataObject[],
	parameters: INodeParameters = {},
	more: object = {},
) {
	return await withFaultServer(answer, async ({ url, requests }) => {
		const run = await runAction({
			parameters: { ...WAIT, ...parameters },
			credential: { productionBaseUrl: url },
			input,
			...more,
		});
		return { ...run, urls: requests.map((request) => request.url) };
	});
}

const stateOf = ({ run }: Awaited<ReturnType<typeof wait>>): unknown =>
	run.data.executionData?.contextData['node:Node']?.dataCollection;

/** What n8n passes on when the limit ends the wait: the node's own input. */
const expiredOf = ({ run }: Awaited<ReturnType<typeof wait>>) =>
	run.data.executionData?.nodeExecutionStack[0]?.data.main?.[0];

describe('it goes on at once', () => {
	test('when all requests have an awaited status, whatever its case', async () => {
		const run = await wait(service({ a: 'completed', b: 'Completed' }), itemsOf('a', 'b'));
		expect(run.run.waitTill).toBeFalsy();
		expect(run.json).toEqual([
			{
				requestId: 'a',
				guestLink: linkOf('a'),
				_id: 'a',
				title: 'Title a',
				shareId: 's-a',
				shareStatus: 'completed',
				notification: null,
				timedOut: false,
			},
			{
				requestId: 'b',
				guestLink: linkOf('b'),
				_id: 'b',
				title: 'Title b',
				shareStatus: 'Completed',
				notification: null,
				timedOut: false,
			},
		]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(run.task?.hints ?? []).toEqual([]);
	});

	test('with the shares, if wanted', async () => {
		const options = { includeShare: true };
		const run = await wait(service({ a: 'completed' }), itemsOf('a'), { options });
		expect(run.json).toMatchObject([{ share: { _id: 's-a' } }]);
	});

	test('with more than 100 items, if they name no more than 100 requests', async () => {
		const ids = Array.from({ length: 240 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
		const run = await wait(service({ a: 'completed', b: 'completed' }), itemsOf(...ids));
		expect(run.error).toBeUndefined();
		expect(run.json.map(({ requestId }) => requestId)).toEqual(ids);
		expect(run.urls).toHaveLength(2);
	});

	test.each(['closed, completed', '["closed", "completed"]'])(
		'when one text lists the statuses: %s',
		async (text) => {
			const parameters = { waitForStatuses: `={{ ${JSON.stringify(text)} }}` };
			const run = await wait(
				service({ a: 'completed', b: 'closed' }),
				itemsOf('a', 'b'),
				parameters,
			);
			expect(run.run.waitTill).toBeFalsy();
		},
	);

	test('reading a request that several items name only once', async () => {
		const run = await wait(
			service({ a: 'completed', b: 'completed' }),
			itemsOf('a', 'b', 'a', 'a'),
		);
		expect(run.json.map(({ requestId }) => requestId)).toEqual(['a', 'b', 'a', 'a']);
		expect(run.urls.toSorted()).toEqual(['/di/collection-request/a', '/di/collection-request/b']);
	});

	test('by guest link, and with statuses of its own for each item', async () => {
		const input = [
			{ requestId: `${linkOf('a')}?x=1`, until: 'open' },
			{ requestId: 'b', until: 'completed' },
		];
		const parameters = { waitForStatuses: '={{ $json.until }}' };
		const run = await wait(service({ a: 'open', b: 'completed' }), input, parameters);
		expect(run.run.waitTill).toBeFalsy();
		expect(run.json.map(({ shareStatus }) => shareStatus)).toEqual(['open', 'completed']);
	});
});

describe('it waits', () => {
	test('when one is not there yet, and keeps what was evaluated', async () => {
		const input = [
			{ requestId: 'a', until: ['completed', 'closed'] },
			{ requestId: linkOf('b'), until: ['completed'] },
		];
		const run = await wait(service({ a: 'completed', b: 'open' }), input, {
			waitForStatuses: '={{ $json.until }}',
			options: { includeShare: true },
		});
		expect(run.run.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(stateOf(run)).toEqual({
			awaited: [
				{ requestId: 'a', statuses: ['completed', 'closed'] },
				{ requestId: 'b', statuses: ['completed'] },
			],
			includeShare: true,
		});
	});

	test('until the limit, and hands its input on then', async () => {
		const input = [
			{ name: 'Ada', requestId: 'a', timedOut: false },
			{ name: 'Zoe', requestId: 'b', guestLink: 'x' },
		];
		const run = await wait(service({ a: 'open', b: 'open' }), input, {
			limitWaitTime: true,
			resumeAmount: 2,
			resumeUnit: 'days',
		});
		const inTwoDays = Date.now() + 2 * 86_400_000;
		expect(Math.abs(Number(run.run.waitTill) - inTwoDays)).toBeLessThan(60_000);
		const expired = [
			{ requestId: 'a', guestLink: linkOf('a'), name: 'Ada', timedOut: true },
			{ requestId: 'b', guestLink: linkOf('b'), name: 'Zoe', timedOut: true },
		];
		expect(expiredOf(run)?.map((item) => item.json)).toEqual(expired);
		expect(expiredOf(run)?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('with its own names and the files, whatever the input has under them', async () => {
		const binary = { data: { data: 'aGVsbG8=', mimeType: 'text/plain' } };
		beforeExecution((context) => {
			for (const item of context.getInputData()) item.binary = binary;
		});
		const input = [{ requestId: 'another', guestLink: 'x', timedOut: 'no', error: 'e', id: 'a' }];
		const run = await wait(service({ a: 'open' }), input, { requestId: '={{ $json.id }}' });
		beforeExecution(undefined);
		const own = { requestId: 'a', guestLink: linkOf('a'), timedOut: true };
		const expired = { json: { ...own, error: 'e', id: 'a' }, binary, pairedItem: { item: 0 } };
		expect(expiredOf(run)).toEqual([expired]);
	});

	test.each<[string, INodeParameters]>([
		['an amount', { resumeAmount: 3_000_000, resumeUnit: 'days' }],
		['a date', { limitType: 'atSpecifiedTime', maxDateAndTime: '+012026-01-01T00:00:00Z' }],
	])('for ever when %s is beyond what n8n can compare', async (_title, limit) => {
		const run = await wait(service({ a: 'open' }), itemsOf('a'), { limitWaitTime: true, ...limit });
		expect(run.run.waitTill).toEqual(WAIT_INDEFINITELY);
	});

	test.each(['$now.plus({ days: 2 })', '$now.plus({ days: 2 }).toISO()', '$json.until'])(
		'until the date of {{ %s }}',
		async (expression) => {
			const until = new Date(Date.now() + 2 * 86_400_000);
			const run = await wait(
				service({ a: 'open' }),
				[{ requestId: 'a', until: until.toISOString() }],
				{
					limitWaitTime: true,
					limitType: 'atSpecifiedTime',
					maxDateAndTime: `={{ ${expression} }}`,
				},
			);
			expect(Math.abs(Number(run.run.waitTill) - Number(until))).toBeLessThan(60_000);
		},
	);

	test("for the service's own ID, although it took another one", async () => {
		const run = await wait(json(200, { _id: 'ab12', shareStatus: 'open' }), itemsOf('AB12'));
		expect(stateOf(run)).toMatchObject({ awaited: [{ requestId: 'ab12' }] });
		const expired = { requestId: 'ab12', guestLink: linkOf('ab12'), n: 1, timedOut: true };
		expect(expiredOf(run)?.map((item) => item.json)).toEqual([expired]);
	});

	test('and reads no share of a request that is not there yet', async () => {
		const open = { _id: 'a', shareId: 's-a', shareStatus: 'open' };
		const answer: Answer = (response, request, index) =>
			json(request.url.includes('/share/') ? 404 : 200, open)(response, request, index);
		const run = await wait(answer, itemsOf('a'), { options: { includeShare: true } });
		expect(run.run.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(run.urls).toEqual(['/di/collection-request/a']);
	});

	test('100 requests, each read once, at most 20 at a time', async () => {
		let underWay = 0;
		let most = 0;
		const slow: Answer = (response, request, index) => {
			most = Math.max(most, (underWay += 1));
			setTimeout(() => {
				underWay -= 1;
				service({ [request.url.split('/').at(-1) ?? '']: 'open' })(response, request, index);
			}, 2);
		};
		const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
		const run = await wait(slow, itemsOf(...ids));
		expect(run.run.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(new Set(run.urls).size).toBe(100);
		expect(run.urls).toHaveLength(100);
		expect(most).toBeLessThanOrEqual(20);
	});

	test('with Execute Once for the first item alone', async () => {
		const settings = { executeOnce: true };
		const run = await wait(service({ a: 'open' }), itemsOf('a', 'b'), {}, { settings });
		expect(expiredOf(run)).toHaveLength(1);
		expect(run.urls).toEqual(['/di/collection-request/a']);
	});

	test.each<[string, Answer]>([
		['hang', () => void setTimeout(() => time.advance(3_000), 20)],
		['are asked to pause', json(503, {}, { 'retry-after': '6' })],
		['fail', json(500, {})],
	])('although its reads %s: at most 3 seconds, and a hint', async (_title, answer) => {
		const started = time.now();
		const run = await wait(answer, itemsOf('a', 'b'));
		expect(time.now() - started).toBeLessThanOrEqual(3_000);
		expect(run.run.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(run.task?.hints).toMatchObject([
			{ message: containing('2 of 2 collection requests could not be read before the wait') },
		]);
	});
});

describe('a hint when nothing ends the wait', () => {
	afterEach(() => beforeExecution(undefined));

	test('its Create notifies nobody, and there is no limit', async () => {
		putAfterCreate('none');
		const run = await wait(service({ a: 'open' }), itemsOf('a'));
		expect(run.run.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(run.task?.hints).toMatchObject([
			{ message: containing('"Ask them" notifies nobody, and this wait has no limit') },
		]);
	});

	test.each<[string, string, INodeParameters]>([
		['its Create notifies it', 'wait', {}],
		['an expression says whom its Create notifies', '={{ $json.notify }}', {}],
		['it has a limit', 'none', { limitWaitTime: true }],
		['it is over at once', 'none', { waitForStatuses: ['open'] }],
	])('but not when %s', async (_title, notify, parameters) => {
		putAfterCreate(notify);
		const run = await wait(service({ a: 'open' }), itemsOf('a'), parameters);
		expect(run.error).toBeUndefined();
		expect(run.task?.hints ?? []).toEqual([]);
	});
});

describe('it is refused before anything waits', () => {
	const refusal = async (
		answer: Answer,
		input: IDataObject[],
		parameters: INodeParameters = {},
		credential = {},
	) =>
		await withFaultServer(answer, async ({ url, requests }) => {
			const error = await runError({
				parameters: { ...WAIT, ...parameters },
				credential: { productionBaseUrl: url, ...credential },
				input,
			});
			return { ...error, count: requests.length };
		});

	test('for a request that the service does not know: nothing would ever end it', async () => {
		const error = await refusal(service({ a: 'open' }), itemsOf('a', 'nothing'));
		expect(error).toMatchObject({
			message: 'The service does not know the collection request "nothing" (HTTP 404)',
			itemIndex: 1,
		});
	});

	test('with Continue On Fail as well: each item has the error', async () => {
		const settings = { onError: 'continueRegularOutput' };
		const run = await wait(service({ a: 'open' }), itemsOf('a', 'nothing'), {}, { settings });
		expect(run.run.waitTill).toBeFalsy();
		const error = 'The service does not know the collection request "nothing" (HTTP 404)';
		expect(run.json).toMatchObject([{ error }, { error }]);
	});

	test('when it is cancelled while it reads', async () => {
		let cancel = () => {};
		await withFaultServer(
			() => cancel(),
			async ({ url }) => {
				const { run, error } = await runAction({
					parameters: WAIT,
					credential: { productionBaseUrl: url },
					input: itemsOf('a'),
					onStart: (stop) => (cancel = stop),
				});
				expect(error?.message).toBe('The execution was cancelled');
				expect(run.waitTill).toBeFalsy();
			},
		);
	});

	test.each(['null', '""', '" "', '[]', '$json.nothing'])(
		'with {{ %s }} as the amount of its limit, which is not 0',
		async (expression) => {
			const error = await refusal(service({ a: 'open' }), itemsOf('a'), {
				limitWaitTime: true,
				resumeAmount: `={{ ${expression} }}`,
			});
			expect(error.message).toBe('Amount of Limit Wait Time is not a time');
			expect(error.count).toBe(0);
		},
	);

	test('for more than 100 collection requests', async () => {
		const ids = Array.from({ length: 101 }, (_, index) => `r${index}`);
		const error = await refusal(service({}), itemsOf(...ids));
		expect(error.message).toBe('Wait takes up to 100 collection requests at a time');
		expect(error.description).toContain('Create');
		expect(error.count).toBe(0);
	});

	test('for an item without a request ID, and shows where to take it from', async () => {
		const error = await refusal(service({ a: 'open' }), [{ requestId: 'a' }, { accepted: [] }]);
		expect(error).toMatchObject({ message: 'Request ID is empty', itemIndex: 1 });
		expect(error.count).toBe(0);
	});

	test('without a status', async () => {
		const error = await refusal(service({ a: 'open' }), itemsOf('a'), {
			waitForStatuses: ['', ' '],
		});
		expect(error.message).toBe('Wait for Statuses is empty');
	});

	test.each(['wait', 'create'])(
		'with a credential that needs an item, before a %s does anything',
		async (operation) => {
			const error = await refusal(
				service({ a: 'open' }),
				[{ requestId: 'a', key: 'key-of-the-item' }],
				{ operation, templateId: 't1', notify: 'wait' },
				{ apiKey: '={{ $json.key }}' },
			);
			expect(error.message).toBe(
				'The credential takes a field from the data of the workflow, which a notification does not have',
			);
			expect(error.count).toBe(0);
		},
	);

	test('inside the process of an older agent, whose input stays as it was', async () => {
		const agentsInput = { main: [[{ json: { chatInput: 'hello' } }]] };
		const agent = { data: agentsInput, node: { name: 'AI Agent' }, source: null };
		beforeExecution((context) => {
			Object.defineProperty(context, 'getExecuteData', { value: () => agent });
		});
		const error = await refusal(service({ a: 'open' }), itemsOf('a'));
		beforeExecution(undefined);
		expect(error.message).toBe('Inside the process of an AI Agent a tool cannot wait');
		expect(agentsInput).toEqual({ main: [[{ json: { chatInput: 'hello' } }]] });
		expect(error.count).toBe(0);
	});
});

test('Create hands out a resume URL with a path of its own, and the token stays in the query', async () => {
	await withFaultServer(json(201, { _id: 'r1' }), async ({ url, requests }) => {
		await runAction({
			parameters: { ...WAIT, operation: 'create', templateId: 't1', notify: 'wait' },
			credential: { productionBaseUrl: url },
		});
		const { webhookUrl, webhookSecret } = JSON.parse(requests[0]?.body ?? '{}') as Record<
			string,
			string
		>;
		expect(webhookUrl).toMatch(
			/^http:\/\/localhost:5678\/webhook-waiting\/[^/?]+\/data-collection\?signature=.+$/,
		);
		expect(webhookSecret).toBeTruthy();
	});
});
