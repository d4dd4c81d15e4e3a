import assert from 'node:assert/strict';
import type { Json } from '../../sandbox/n8n/types.mts';
import { payload, signed, valueOf, withBody } from '../support/delivery.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';

const bom = '\uFEFF';
const cities = { city: 'Zürich 東京 😀', path: 'a/b' };
const escape = (text: string, hex: (code: string) => string) =>
	text.replace(
		/[^\0-\x7f]/g,
		(unit) => `\\u${hex(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`,
	);
const escapeSlash = (text: string) => text.replaceAll('/', '\\/');
const minified = (fields: Json) => JSON.stringify(fields);
const reversed = (fields: Json) =>
	JSON.stringify(Object.fromEntries(Object.entries(fields).reverse()));

/** Ways to write one and the same payload. */
const spellings: Array<[title: string, write: (fields: Json) => string]> = [
	['W01 minified JSON', minified],
	['W04 pretty-printed JSON', (fields) => JSON.stringify(fields, null, 2)],
	['W04 CRLF line ends', (fields) => JSON.stringify(fields, null, 2).replaceAll('\n', '\r\n')],
	['W04 a trailing newline', (fields) => `${minified(fields)}\n`],
	['W04 leading spaces', (fields) => `   ${minified(fields)}`],
	['W04 keys in reverse order', reversed],
	['W06 raw non-ASCII text', minified],
	['W07 \\u escapes in lower case', (fields) => escape(minified(fields), (hex) => hex)],
	['W08 \\u escapes in upper case', (fields) => escape(minified(fields), (h) => h.toUpperCase())],
	['W09 escaped slashes', (fields) => escapeSlash(minified(fields))],
	['W11 a byte order mark', (fields) => bom + minified(fields)],
];

/** Signed as one text, sent as another that means the same. */
const swaps: Array<
	[title: string, signedAs: (text: string) => string, sentAs: (t: string) => string]
> = [
	['W05 minified, pretty-printed', (t) => t, (t) => JSON.stringify(JSON.parse(t), null, 2)],
	['W07 raw, lower-case escapes', (t) => t, (t) => escape(t, (hex) => hex)],
	['W08 raw, upper-case escapes', (t) => t, (t) => escape(t, (hex) => hex.toUpperCase())],
	['W08 lower-case escapes, raw', (t) => escape(t, (hex) => hex), (t) => t],
	['W09 plain slashes, escaped ones', (t) => t, escapeSlash],
	['W12 no byte order mark, one', (t) => t, (t) => bom + t],
	['W12 a byte order mark, none', (t) => bom + t, (t) => t],
];

describe('how a payload is written', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E spellings' });
	});

	for (const [title, write] of spellings) {
		test(`${title}: accepted, every field intact`, async () => {
			const fields = payload(cities);
			const delivery = signed({ secret: trigger.secret, body: write(fields) });
			assert.deepEqual(await trigger.accepts(delivery), {
				...fields,
				notifiedAt: new Date(Number(fields.timestamp)).toISOString(),
				deliveryId: valueOf(delivery, 'X-SVC-Delivery-Id'),
				guestLink: `${serviceUrl}/request/${fields.requestId}`,
			});
		});
	}

	for (const [title, signedAs, sentAs] of swaps) {
		test(`${title} instead of the signed text: refused`, async () => {
			const text = minified(payload(cities));
			const delivery = signed({ secret: trigger.secret, body: signedAs(text) });
			await trigger.refuses(withBody(delivery, sentAs(text)), 'unverified', {
				logs: 'X-SVC-Signature does not match',
			});
		});
	}

	test('W13 bytes that are no UTF-8: accepted, but not with other such bytes', async () => {
		const { secret } = trigger;
		const bytes = (byte: number) => {
			const body = Buffer.from(minified(payload({ note: '#' })));
			body[body.indexOf('#')] = byte;
			return body;
		};
		assert.equal((await trigger.accepts(signed({ secret, body: bytes(0xff) }))).note, '\uFFFD');
		const delivery = signed({ secret, body: bytes(0xff) });
		const swapped = Buffer.from(delivery.body);
		swapped[swapped.indexOf(0xff)] = 0xfe;
		await trigger.refuses(withBody(delivery, swapped), 'unverified', {
			logs: 'X-SVC-Signature does not match',
		});
		await trigger.accepts(delivery);
	});

	test('W14 a key twice: accepted, the last one wins', async () => {
		const fields = payload();
		const body = minified(fields).replace('{', '{"shareStatus":"first","note":"first",');
		const twice = body.replace(/}$/, ',"note":"last"}');
		const item = await trigger.accepts(signed({ secret: trigger.secret, body: twice }));
		assert.equal(item.shareStatus, fields.shareStatus);
		assert.equal(item.note, 'last');
		await trigger.accepts(trigger.good());
	});
});
