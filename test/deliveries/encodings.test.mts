import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { payload, signed, withBody, withHeader } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';

const packings: Array<[name: string, pack: (plain: Buffer) => Buffer]> = [
	['gzip', gzipSync],
	['deflate', deflateSync],
];

/** As JSON, n8n reads the text in these and finds none. */
const charsets = ['utf-16le', 'bogus', '"utf-8'];

describe('encodings', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E encodings' });
	});

	for (const [name, pack] of packings) {
		test(`W65 ${name} around the signed body: accepted, the signed bytes count`, async () => {
			const fields = payload({ note: 'Zürich' });
			const delivery = signed({ secret: trigger.secret, body: fields });
			const packed = withBody(delivery, pack(delivery.body));
			const item = await trigger.accepts(withHeader(packed, 'Content-Encoding', name));
			const { deliveryId, guestLink, notifiedAt, ...passedOn } = item;
			assert.deepEqual(passedOn, fields);
			assert.equal(typeof deliveryId, 'string');
			assert.equal(typeof guestLink, 'string');
			assert.equal(notifiedAt, new Date(Number(passedOn.timestamp)).toISOString());
		});

		test(`W65 ${name}, the compressed bytes are signed: refused`, async () => {
			const body = pack(Buffer.from(JSON.stringify(payload())));
			const packed = signed({ secret: trigger.secret, body });
			await trigger.refuses(withHeader(packed, 'Content-Encoding', name), 'unverified', {
				logs: 'X-SVC-Signature does not match',
			});
		});

		test(`W65 ${name} announced for a body that is plain: n8n itself answers 500`, async () => {
			const plain = withHeader(trigger.good(), 'Content-Encoding', name);
			await trigger.rejects(plain, 'notCompressed');
		});

		test(`W65 ${name} announced for plain bytes, which n8n leaves to the node: refused`, async () => {
			const plain = withHeader(trigger.good(), 'Content-Encoding', name);
			const unread = withHeader(plain, 'Content-Type', 'application/octet-stream');
			await trigger.refuses(unread, 'unverified', { logs: 'the raw body is not available' });
		});
	}

	// n8n unpacks gzip and deflate alone, and those only in lower case.
	test('W65 brotli around the signed body: n8n leaves it packed and finds no JSON', async () => {
		const { headers, body } = trigger.good();
		const packed = { headers, body: brotliCompressSync(body) };
		await trigger.rejects(withHeader(packed, 'Content-Encoding', 'br'), 'unreadable');
	});

	for (const charset of charsets) {
		test(`W68 charset=${charset}: n8n itself answers 422`, async () => {
			const fields = payload({ note: 'marker-w68' });
			const delivery = signed({ secret: trigger.secret, body: fields });
			const type = `application/json; charset=${charset}`;
			const text = await trigger.rejects(withHeader(delivery, 'Content-Type', type), 'unreadable');
			assert.equal(text.includes(fields.requestId), false, text);
		});
	}
});
