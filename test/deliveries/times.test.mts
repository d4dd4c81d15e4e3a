import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { payload, sign, signed, withHeader, type Payload } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { logEnd, waitForLog } from '../support/n8nLog.mts';
import { send, sendRaw, type Answer } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { triggerName } from '../support/workflows.mts';

const seconds = () => Math.floor(Date.now() / 1000);
const stale = 'differs from now by more than the maximum age';
const notPlain = 'X-SVC-Timestamp is not a plain number';

/** Whole seconds are rounded towards now, so that they are at most as far away as the title says. */
const fresh: Array<[title: string, now: () => string]> = [
	['W01 now, in milliseconds', () => String(Date.now())],
	['W02 now, in seconds', () => String(seconds())],
	['W03 now, in microseconds', () => `${Date.now()}123`],
	['W03 now, in nanoseconds', () => `${Date.now()}123456`],
	['W47 299 s ago, in milliseconds', () => String(Date.now() - 299_000)],
	['W47 299 s ago, in seconds', () => String(seconds() + 1 - 299)],
	['W48 299 s ahead, in milliseconds', () => String(Date.now() + 299_000)],
	['W48 299 s ahead, in seconds', () => String(seconds() + 299)],
];

const tooFar: Array<[title: string, now: () => string]> = [
	['W47 301 s ago, in milliseconds', () => String(Date.now() - 301_000)],
	['W47 301 s ago, in seconds', () => String(seconds() - 301)],
	['W48 301 s ahead, in milliseconds', () => String(Date.now() + 301_000)],
	['W48 301 s ahead, in seconds', () => String(seconds() + 1 + 301)],
];

const refused: Array<[title: string, now: () => string, logs: string]> = [
	['W49 zero', () => '0', notPlain],
	['W49 a leading zero', () => `0${seconds()}`, notPlain],
	['W49 25 digits', () => '1'.repeat(25), notPlain],
	['W49 an exponent', () => '1e12', notPlain],
	['W49 a minus sign', () => '-1', notPlain],
	['W49 a plus sign', () => `+${seconds()}`, notPlain],
	['W49 a space before the digit, which HTTP drops', () => ' 1', 'X-SVC-Signature does not match'],
	['W49 one second after 1970', () => '1', stale],
	['W49 a decimal point', () => `${seconds()}.5`, notPlain],
	['W49 hexadecimal', () => `0x${seconds().toString(16)}`, notPlain],
	[
		'W49 Arabic digits',
		() => String(seconds()).replace(/\d/g, (d) => String.fromCodePoint(0x660 + Number(d))),
		notPlain,
	],
	['W49 letters after the digits', () => `${seconds()}abc`, notPlain],
];

describe('timestamps', () => {
	let trigger: Trigger;
	let ageless: Trigger;
	const rest = openRest();
	beforeAll(async () => {
		trigger = await createTrigger({ rest, name: 'E2E timestamps' });
		const parameters = { options: { maximumAge: 0 } };
		ageless = await createTrigger({ rest, name: 'E2E no maximum age', parameters });
	});
	const at = (timestamp: string, body?: Payload) =>
		signed({ secret: trigger.secret, timestamp, body });

	/** The answer that came within a second: a later one cannot tell 299 s or 301 s from 300 s. */
	const answerTo = (now: () => string, body?: Payload): Promise<Answer> =>
		until('n8n answers within a second', async () => {
			const started = Date.now();
			const answer = await send(trigger.url, at(now(), body));
			const isTelling = Date.now() - started < 1000;
			if (answer.status === 200) await trigger.assertCount(1);
			return isTelling ? answer : undefined;
		});

	for (const [title, now] of fresh) {
		test(`${title}: accepted`, async () => {
			const fields = payload();
			assertAnswer(await answerTo(now, fields), 'accepted');
			const [execution] = await newestExecutions(rest, trigger.workflow.id, 1);
			const [item] = execution === undefined ? [] : outputOf(execution, triggerName);
			assert.equal(item?.requestId, fields.requestId);
		});
	}

	for (const [title, now] of tooFar) {
		test(`${title}: refused, though signed`, async () => {
			const place = logEnd();
			assertAnswer(await answerTo(now), 'unverified');
			await waitForLog(place, stale);
			await trigger.assertCount();
			await trigger.accepts(trigger.good());
		});
	}

	for (const [title, now, logs] of refused) {
		test(`${title}: refused, though signed`, async () => {
			await trigger.refuses(at(now()), 'unverified', { logs, by: sendRaw });
		});
	}

	test('W50 a year old, Maximum Age 0: accepted', async () => {
		const timestamp = String(Date.now() - 365 * 24 * 3_600_000);
		await ageless.accepts(signed({ secret: ageless.secret, timestamp }));
	});

	test('W51 the time in the body does not count, only the signed one of the header', async () => {
		const { secret } = trigger;
		const aged = payload({ timestamp: '1000000000000' });
		const item = await trigger.accepts(signed({ secret, body: aged }));
		assert.equal(item.timestamp, '1000000000000');
		const late = signed({ secret, body: payload(), timestamp: '1000000000000' });
		await trigger.refuses(late, 'unverified', { logs: stale });
	});

	test('W52 a captured delivery with the time set to now: refused', async () => {
		const captured = at(String(Date.now() - 301_000));
		const renewed = withHeader(captured, 'X-SVC-Timestamp', String(Date.now()));
		await trigger.refuses(renewed, 'unverified', { logs: 'X-SVC-Signature does not match' });
		const right = sign(trigger.secret, String(seconds()), captured.body);
		assert.notEqual(right, captured.headers.find(([name]) => name === 'X-SVC-Signature')?.[1]);
	});
});
