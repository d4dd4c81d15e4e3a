import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { itemOf, payload, signed, valueOf } from '../support/delivery.mts';
import { without, withHeader, type Delivery } from '../support/delivery.mts';
import { serviceUrl } from '../support/environment.mts';
import { createTrigger } from '../support/trigger.mts';

const trigger = await createTrigger({ name: 'E2E headers' });
const { secret } = trigger;

const signature = 'X-SVC-Signature';
const timestamp = 'X-SVC-Timestamp';
const forged = '0'.repeat(64);

type Change = (delivery: Delivery) => Delivery;

/** A header once for each value that the right one gives. */
const changed =
	(header: string, change: (right: string) => string[]): Change =>
	(delivery) =>
		withHeader(delivery, header, ...change(valueOf(delivery, header)));
const resigned = (change: (right: string) => string) =>
	changed(signature, (right) => [change(right)]);

/** The signature that a sender with another idea of the scheme would send. */
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
	assert.deepEqual(await trigger.accepts(change(good)), itemOf(good, fields, serviceUrl));
});

test('W30 no X-SVC-Delivery-Id: accepted, deliveryId is null', async () => {
	const item = await trigger.accepts(without(trigger.good(), 'X-SVC-Delivery-Id'));
	assert.equal(item.deliveryId, null);
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
