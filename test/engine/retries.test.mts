import { runAction, runError, runOk, stopExecution } from './support/engine.mts';
import type { Answer, FaultServer } from './support/faultServer.mts';
import { by, json, startFaultServer } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';
import { BOTH, CREATE, MAY_EXIST, READ } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const FINE = json(200, { _id: '1' });
const httpDate = (milliseconds: number) => new Date(milliseconds).toUTCString();
const busy = (retryAfter: string) => json(429, {}, { 'retry-after': retryAfter });

/** Answers the first requests like this, in order, and all later ones well; notes the times. */
function afterwardsFine(...first: Answer[]): { answer: Answer; times: number[] } {
	const times: number[] = [];
	const answer = by((_request, index) => {
		times.push(time.now());
		return first[index] ?? FINE;
	});
	return { answer, times };
}

describe.each(BOTH)('the service asks for fewer requests at a %s', (_name, { parameters }) => {
	test.each<[string, () => Answer, number, number]>([
		['in seconds', () => busy('1'), 1000, 1250],
		['as a date', () => busy(httpDate(time.now() + 7000)), 7000, 7250],
		['of a time that is over', () => busy(httpDate(time.now() - 7000)), 0, 250],
		['of 30 seconds', () => busy('30'), 30_000, 30_250],
		['that is nonsense', () => busy('soon'), 100, 1000],
		['not at all', () => json(429, {}), 100, 1000],
	])('%s: 2 requests, that far apart', async (_title, first, atLeast, atMost) => {
		const { answer, times } = afterwardsFine(first());
		const { item, requests } = await runOk({ parameters, answer });
		expect(item).toMatchObject({ _id: '1' });
		expect(requests).toHaveLength(2);
		expect(requests[1]).toMatchObject({ method: requests[0]?.method, body: requests[0]?.body });
		const [from = NaN, to = NaN] = times;
		expect(to - from).toBeGreaterThanOrEqual(atLeast);
		expect(to - from).toBeLessThanOrEqual(atMost);
	});

	test('a pause above 30 seconds is not waited for but told', async () => {
		expect(await runError({ parameters, answer: busy('31') })).toMatchObject({
			message: 'The service received too many requests (HTTP 429)',
			description: containing('Try again in 31 seconds or later'),
			sent: 1,
		});
		expect(time.slept).toEqual([]);
	});
});

test('503 with Retry-After: the read waits as long as it is asked to', async () => {
	const { answer, times } = afterwardsFine(json(503, {}, { 'retry-after': '9' }));
	await runOk({ parameters: READ, answer });
	const [from = NaN, to = NaN] = times;
	expect(to - from).toBeGreaterThanOrEqual(9000);
});

test.each(BOTH)(
	'nobody listens at first: a %s is tried again, and sent exactly once',
	async (_name, { parameters }) => {
		const { url, close } = await startFaultServer(FINE);
		await close();
		let server: FaultServer | undefined;
		time.onSleep = async () => {
			server ??= await startFaultServer(FINE, { port: Number(new URL(url).port) });
		};
		const { item } = await runOk({ parameters, credential: { productionBaseUrl: url } });
		expect(item).toMatchObject({ _id: '1' });
		expect(server?.requests).toHaveLength(1);
		expect(time.slept).toHaveLength(1);
	},
);

describe('a connection kept open that the service has closed meanwhile', () => {
	const input = [{ n: 1 }, { n: 2 }];
	const options = { concurrency: 1 };
	/** Answers the first and breaks the connection at the next request, like a stale one. */
	const answer = by((_request, index) =>
		index === 1 ? ({ socket }) => void socket?.resetAndDestroy() : FINE,
	);

	test('a read is tried again', async () => {
		const run = await runAction({ parameters: { ...READ, options }, input, answer });
		expect(run).toMatchObject({ error: undefined, json: [{ _id: '1' }, { _id: '1' }], sent: 3 });
	});

	test('a create may exist', async () => {
		const error = await runError({ parameters: { ...CREATE, options }, input, answer });
		expect(error).toMatchObject({ message: containing(MAY_EXIST), sent: 2 });
	});
});

test.each([429, 503])(
	'three executions that meet %i together do not come back together',
	async (status) => {
		const refusal = json(status, {});
		const { answer } = afterwardsFine(refusal, refusal, refusal);
		const { url, requests } = await startFaultServer(answer);
		// Above the floor of 100 ms, at which several would meet once in a while.
		let drawn = 0;
		const random = jest.spyOn(Math, 'random').mockImplementation(() => 0.2 + (drawn++ % 70) / 100);
		const run = { parameters: READ, credential: { productionBaseUrl: url } };
		await Promise.all([runOk(run), runOk(run), runOk(run)]);
		random.mockRestore();
		expect(requests).toHaveLength(6);
		// The first pauses; a random one may leave a rest to sleep after another's step.
		expect(new Set(time.slept).size).toBeGreaterThanOrEqual(3);
	},
);

describe('a cancelled execution', () => {
	test.each(BOTH)(
		'during the pause before another attempt sends no %s any more',
		async (_name, { parameters }) => {
			time.onSleep = stopExecution;
			expect((await runAction({ parameters, answer: json(429, {}) })).sent).toBe(1);
		},
	);

	test('starts none of the items that are left', async () => {
		const { sent } = await runAction({
			parameters: { ...CREATE, options: { concurrency: 2 } },
			input: Array.from({ length: 20 }, (_, n) => ({ n })),
			answer: by((_request, index) => {
				if (index === 1) stopExecution();
				return FINE;
			}),
		});
		expect(sent).toBeLessThanOrEqual(3);
	});
});
