import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { payload, signed, withBody, withHeader } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { sendChunked, sendRaw } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';

const mebibyte = 1024 * 1024;

/** A payload whose JSON has exactly this many bytes. */
function sized(bytes: number): string {
	const fields = payload({ padding: '' });
	const { length } = JSON.stringify(fields);
	return JSON.stringify({ ...fields, padding: 'x'.repeat(bytes - length) });
}

describe('large bodies', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E sizes' });
	});
	const of = (body: string) => signed({ secret: trigger.secret, body });

	for (const bytes of [mebibyte - 1, mebibyte]) {
		test(`W63 ${bytes} bytes, signed: accepted, nothing is cut`, async () => {
			const body = sized(bytes);
			const item = await trigger.accepts(of(body));
			assert.equal(item.padding, (JSON.parse(body) as { padding: string }).padding);
		});
	}

	for (const bytes of [mebibyte + 1, Math.floor(15.9 * mebibyte)]) {
		test(`W63 ${bytes} bytes, signed: too large`, async () => {
			await trigger.refuses(of(sized(bytes)), 'tooLarge', {
				logs: 'Delivery refused (tooLarge)',
			});
		});
	}

	// n8n's own limit, N8N_PAYLOAD_SIZE_MAX; it answers 500 where HTTP has 413.
	test('W64 16 MiB and one byte: n8n itself refuses it', async () => {
		await trigger.rejects(of(sized(16 * mebibyte + 1)), 'beyondLimit', sendRaw);
	});

	test('W64 20 MB in chunks, without a length: n8n itself refuses it', async () => {
		await trigger.rejects(of(sized(20_000_000)), 'beyondLimit', sendChunked);
	});

	test('W64 100 MB of zeros in 100 KB of gzip: n8n itself refuses it', async () => {
		const bomb = gzipSync(Buffer.alloc(100_000_000));
		assert.ok(bomb.length < 100_000, `${bomb.length} bytes`);
		const packed = withHeader(withBody(trigger.good(), bomb), 'Content-Encoding', 'gzip');
		await trigger.rejects(packed, 'beyondLimit', sendRaw);
	});
});
