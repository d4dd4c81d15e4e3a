import { createHmac } from 'node:crypto';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { itemOf, payload, signed, valueOf, without } from '../../sandbox/deployment/delivery.mts';
import { withHeader, type Delivery, type Payload } from '../../sandbox/deployment/delivery.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { newestExecution } from '../support/executions.mts';
import { logEnd, waitForLog } from '../support/n8nLog.mts';
import { send, sendRaw, type Answer } from '../../sandbox/deployment/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { triggerName } from '../../sandbox/n8n/workflows.mts';

const trigger = await createTrigger({ name: 'E2E headers' });
const { secret } = trigger;

const signature = 'X-SVC-Signature';
const timestamp = 'X-SVC-Timestamp';
const forged = '0'.repeat(64);

type Change = (delivery: Delivery) => Delivery;

/** Replaces a header with one line for each value made from the right one. */
const changed =
	(header: string, change: (right: string) => string[]): Change =>
	(delivery) =>
		withHeader(delivery, header, ...change(valueOf(delivery, header)));
const resigned = (change: (right: string) => string) =>
	changed(signature, (right) => [change(right)]);

/** The signature of a sender that misunderstands the scheme. */
const signedOver =
	(text: (time: string, body: string) => string): Change =>
	(delivery) => {
		const signedText = text(valueOf(delivery, timestamp), delivery.body.toString());
		const mac = createHmac('sha256', secret).update(signedText).digest('hex');
		return withHeader(delivery, signature, mac);
	};
const rewritten: Change = ({ body }) => {
	const pretty = JSON.stringify(JSON.parse(body.toString()), null, 2);
	return signed({ secret, body: pretty, signedBody: body });
};

const asBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const mixCase = (hex: string) => hex.slice(0, 32).toUpperCase() + hex.slice(32);
const alternate = (name: string) =>
	[...name].map((c, i) => (i % 2 === 0 ? c.toLowerCase() : c.toUpperCase())).join('');
const renamed =
	(change: (name: string) => string): Change =>
	({ headers, body }) => ({
		headers: headers.map(([name, value]) => [change(name), value]),
		body,
	});

test.each<[title: string, change: Change]>([
	['W29 no X-SVC-Event: the event of the body', (delivery) => without(delivery, 'X-SVC-Event')],
	['W38 spaces around the signature', resigned((right) => `  ${right}  `)],
	['W39 header names in lower case', renamed((name) => name.toLowerCase())],
	['W39 header names in upper case', renamed((name) => name.toUpperCase())],
	['W39 header names in mixed case', renamed(alternate)],
])('%s: accepted', async (_title, change) => {
	const fields = payload();
	const good = trigger.good(fields);
	expect(await trigger.accepts(change(good))).toStrictEqual(itemOf(good, fields, serviceUrl));
});

test('W30 no X-SVC-Delivery-Id: accepted, deliveryId is null', async () => {
	const item = await trigger.accepts(without(trigger.good(), 'X-SVC-Delivery-Id'));
	expect(item.deliveryId).toBe(null);
});

test.each<[title: string, change: Change, logs?: string]>([
	['W27 no X-SVC-Signature', (d) => without(d, signature), `${signature} is missing`],
	['W28 no X-SVC-Timestamp', (d) => without(d, timestamp), `${timestamp} is missing`],
	['W31 an empty signature', resigned(() => ''), `${signature} is missing`],
	['W31 an empty timestamp', (d) => withHeader(d, timestamp, ''), `${timestamp} is missing`],
	['W32 two signatures, wrong and right', changed(signature, (right) => [forged, right])],
	['W32 two signatures, right and wrong', changed(signature, (right) => [right, forged])],
	['W32 the right signature twice', changed(signature, (right) => [right, right])],
	['W33 two timestamps', changed(timestamp, (time) => [time, time])],
	['W34 the signature in upper case', resigned((right) => right.toUpperCase())],
	['W34 the signature in mixed case', resigned(mixCase)],
	['W35 a sha256= prefix', resigned((right) => `sha256=${right}`)],
	['W35 a v1= prefix', resigned((right) => `v1=${right}`)],
	['W35 base64 of the right signature', resigned(asBase64)],
	['W36 63 hex characters', resigned((right) => right.slice(0, 63))],
	['W36 65 hex characters', resigned((right) => `${right}0`)],
	['W36 128 hex characters', resigned((right) => right + right)],
	['W36 the right signature cut to 32 hex characters', resigned((right) => right.slice(0, 32))],
	['W40 signed: the body alone', signedOver((_time, body) => body)],
	['W40 signed: a colon instead of the dot', signedOver((time, body) => `${time}:${body}`)],
	['W40 signed: the body parsed and written anew', rewritten],
	['W42 signed with another secret', () => signed({ secret: 'another-secret' })],
	['W42 signed with the empty secret', () => signed({ secret: '' })],
	['W42 signed with the secret and a line break', () => signed({ secret: `${secret}\n` })],
])('%s: refused', async (_title, change, logs = 'Delivery refused (unverified)') => {
	await trigger.refuses(change(trigger.good()), 'unverified', { logs });
});

const seconds = () => Math.floor(Date.now() / 1000);
const stale = 'differs from now by more than the maximum age';

/** A response that came within a second: a later one could not tell 299 s or 301 s from 300 s. */
const answerTo = (now: () => string, body?: Payload): Promise<Answer> =>
	until('n8n answers within a second', async () => {
		const started = Date.now();
		const answer = await send(trigger.url, trigger.good(body, now()));
		const isTelling = Date.now() - started < 1000;
		if (answer.status === 200) await trigger.assertCount(1);
		return isTelling ? answer : undefined;
	});

/** Whole seconds are rounded towards now, so they are never further away than the title says. */
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
	expect(outputOf(execution, triggerName)[0]?.requestId).toBe(fields.requestId);
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
	expect((await trigger.accepts(trigger.good(aged))).timestamp).toBe('1000000000000');
	const late = trigger.good(payload(), '1000000000000');
	await trigger.refuses(late, 'unverified', { logs: stale });
});

test('W52 a captured delivery with the time set to now: refused', async () => {
	const captured = trigger.good(payload(), String(Date.now() - 301_000));
	const renewed = withHeader(captured, timestamp, String(Date.now()));
	await trigger.refuses(renewed, 'unverified', { logs: 'X-SVC-Signature does not match' });
});
