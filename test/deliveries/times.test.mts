import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { payload, withHeader, type Payload } from '../support/delivery.mts';
import { rest } from '../support/environment.mts';
import { newestExecution } from '../support/executions.mts';
import { logEnd, waitForLog } from '../support/n8nLog.mts';
import { send, sendRaw, type Answer } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { triggerName } from '../support/workflows.mts';

const trigger = await createTrigger({ name: 'E2E timestamps' });

const seconds = () => Math.floor(Date.now() / 1000);
const stale = 'differs from now by more than the maximum age';

/** The answer that came within a second: a later one cannot tell 299 s or 301 s from 300 s. */
const answerTo = (now: () => string, body?: Payload): Promise<Answer> =>
	until('n8n answers within a second', async () => {
		const started = Date.now();
		const answer = await send(trigger.url, trigger.good(body, now()));
		const isTelling = Date.now() - started < 1000;
		if (answer.status === 200) await trigger.assertCount(1);
		return isTelling ? answer : undefined;
	});

/** Whole seconds are rounded towards now, so that they are at most as far away as the title says. */
test.each<[title: string, now: () => string]>([
	['W01 now, in milliseconds', () => String(Date.now())],
	['W02 now, in seconds', () => String(seconds())],
	['W03 now, in microseconds', () => `${Date.now()}123`],
	['W03 now, in nanoseconds', () => `${Date.now()}123456`],
	['W47 299 s ago, in milliseconds', () => String(Date.now() - 299_000)],
	['W47 299 s ago, in seconds', () => String(seconds() + 1 - 299)],
	['W48 299 s ahead, in milliseconds', () => String(Date.now() + 299_000)],
	['W48 299 s ahead, in seconds', () => String(seconds() + 299)],
])('%s: accepted', async (_title, now) => {
	const fields = payload();
	assertAnswer(await answerTo(now, fields), 'accepted');
	const execution = await newestExecution(rest, trigger.workflow.id);
	assert.equal(outputOf(execution, triggerName)[0]?.requestId, fields.requestId);
});

test.each<[title: string, now: () => string]>([
	['W47 301 s ago, in milliseconds', () => String(Date.now() - 301_000)],
	['W47 301 s ago, in seconds', () => String(seconds() - 301)],
	['W48 301 s ahead, in milliseconds', () => String(Date.now() + 301_000)],
	['W48 301 s ahead, in seconds', () => String(seconds() + 1 + 301)],
])('%s: refused, though signed', async (_title, now) => {
	const place = logEnd();
	assertAnswer(await answerTo(now), 'unverified');
	await waitForLog(place, stale);
	await trigger.assertCount();
	await trigger.accepts(trigger.good());
});

const arabic = (digit: string) => String.fromCodePoint(0x660 + Number(digit));
test.each<[title: string, now: () => string, logs?: string]>([
	['W49 zero', () => '0'],
	['W49 a leading zero', () => `0${seconds()}`],
	['W49 25 digits', () => '1'.repeat(25)],
	['W49 an exponent', () => '1e12'],
	['W49 a minus sign', () => '-1'],
	['W49 a plus sign', () => `+${seconds()}`],
	['W49 a space before the digit, which HTTP drops', () => ' 1', 'X-SVC-Signature does not match'],
	['W49 one second after 1970', () => '1', stale],
	['W49 a decimal point', () => `${seconds()}.5`],
	['W49 hexadecimal', () => `0x${seconds().toString(16)}`],
	['W49 Arabic digits', () => String(seconds()).replace(/\d/g, arabic)],
	['W49 letters after the digits', () => `${seconds()}abc`],
])('%s: refused, though signed', async (_title, now, logs = 'is not a plain number') => {
	await trigger.refuses(trigger.good(payload(), now()), 'unverified', { logs, by: sendRaw });
});

test('W50 a year old, Maximum Age 0: accepted', async () => {
	const parameters = { options: { maximumAge: 0 } };
	const ageless = await createTrigger({ name: 'E2E no maximum age', parameters });
	await ageless.accepts(ageless.good(payload(), String(Date.now() - 365 * 24 * 3_600_000)));
});

test('W51 the time in the body does not count, only the signed one of the header', async () => {
	const aged = payload({ timestamp: '1000000000000' });
	assert.equal((await trigger.accepts(trigger.good(aged))).timestamp, '1000000000000');
	const late = trigger.good(payload(), '1000000000000');
	await trigger.refuses(late, 'unverified', { logs: stale });
});

test('W52 a captured delivery with the time set to now: refused', async () => {
	const captured = trigger.good(payload(), String(Date.now() - 301_000));
	const renewed = withHeader(captured, 'X-SVC-Timestamp', String(Date.now()));
	await trigger.refuses(renewed, 'unverified', { logs: 'X-SVC-Signature does not match' });
});
