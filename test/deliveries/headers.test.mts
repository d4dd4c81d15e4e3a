import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { payload, sign, signed, valueOf, without, withHeader } from '../support/delivery.mts';
import type { Delivery } from '../support/delivery.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';

const signature = 'X-SVC-Signature';
const timestamp = 'X-SVC-Timestamp';
const forged = '0'.repeat(64);

type Change = (delivery: Delivery, secret: string) => Delivery;

/** Another text in place of the right signature. */
const resigned =
	(change: (right: string) => string): Change =>
	(delivery) =>
		withHeader(delivery, signature, change(valueOf(delivery, signature)));

/** The signature that a sender with another idea of the scheme would send. */
const signedOver =
	(text: (time: string, body: string) => string): Change =>
	(delivery, secret) => {
		const signedText = text(valueOf(delivery, timestamp), delivery.body.toString());
		const mac = createHmac('sha256', secret).update(signedText).digest('hex');
		return withHeader(delivery, signature, mac);
	};

const signedWith =
	(key: (secret: string) => string): Change =>
	(delivery, secret) => {
		const other = sign(key(secret), valueOf(delivery, timestamp), delivery.body);
		return withHeader(delivery, signature, other);
	};

const asBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const mixCase = (hex: string) => hex.slice(0, 32).toUpperCase() + hex.slice(32);
const renamed = (change: (name: string) => string): Change => {
	return ({ headers, body }) => ({
		headers: headers.map(([name, value]) => [change(name), value]),
		body,
	});
};
const alternate = (name: string) =>
	[...name].map((c, i) => (i % 2 === 0 ? c.toLowerCase() : c.toUpperCase())).join('');

const accepted: Array<[title: string, change: Change]> = [
	['W29 no X-SVC-Event: the event of the body', (delivery) => without(delivery, 'X-SVC-Event')],
	['W38 spaces around the signature', resigned((right) => `  ${right}  `)],
	['W39 header names in lower case', renamed((name) => name.toLowerCase())],
	['W39 header names in upper case', renamed((name) => name.toUpperCase())],
	['W39 header names in mixed case', renamed(alternate)],
];

const refused: Array<[title: string, change: Change, logs?: string]> = [
	['W27 no X-SVC-Signature', (d) => without(d, signature), `${signature} is missing`],
	['W28 no X-SVC-Timestamp', (d) => without(d, timestamp), `${timestamp} is missing`],
	['W31 an empty signature', (d) => withHeader(d, signature, ''), `${signature} is missing`],
	['W31 an empty timestamp', (d) => withHeader(d, timestamp, ''), `${timestamp} is missing`],
	[
		'W32 two signatures, wrong and right',
		(d) => withHeader(d, signature, forged, valueOf(d, signature)),
	],
	[
		'W32 two signatures, right and wrong',
		(d) => withHeader(d, signature, valueOf(d, signature), forged),
	],
	[
		'W32 the right signature twice',
		(d) => withHeader(d, signature, valueOf(d, signature), valueOf(d, signature)),
	],
	[
		'W33 two timestamps',
		(d) => withHeader(d, timestamp, valueOf(d, timestamp), valueOf(d, timestamp)),
	],
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
	[
		'W40 signed: the body parsed and written anew',
		(delivery, secret) => {
			const pretty = JSON.stringify(JSON.parse(delivery.body.toString()), null, 2);
			return { ...signed({ secret, body: pretty, signedBody: delivery.body }) };
		},
	],
	['W42 signed with another secret', signedWith(() => 'another-webhook-secret')],
	['W42 signed with the empty secret', signedWith(() => '')],
	['W42 signed with the secret and a line break', signedWith((secret) => `${secret}\n`)],
];

describe('headers', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E headers' });
	});

	for (const [title, change] of accepted) {
		test(`${title}: accepted`, async () => {
			const fields = payload();
			const good = signed({ secret: trigger.secret, body: fields });
			assert.deepEqual(await trigger.accepts(change(good, trigger.secret)), {
				...fields,
				notifiedAt: new Date(Number(fields.timestamp)).toISOString(),
				deliveryId: valueOf(good, 'X-SVC-Delivery-Id'),
				guestLink: `${serviceUrl}/request/${fields.requestId}`,
			});
		});
	}

	test('W30 no X-SVC-Delivery-Id: accepted, deliveryId is null', async () => {
		const item = await trigger.accepts(without(trigger.good(), 'X-SVC-Delivery-Id'));
		assert.equal(item.deliveryId, null);
	});

	for (const [title, change, logs] of refused) {
		test(`${title}: refused`, async () => {
			const delivery = change(signed({ secret: trigger.secret, body: payload() }), trigger.secret);
			await trigger.refuses(delivery, 'unverified', {
				logs: logs ?? 'Delivery refused (unverified)',
			});
		});
	}
});
