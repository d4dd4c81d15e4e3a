import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { payload, withBody, withHeader, type Delivery } from '../support/delivery.mts';
import { userFolder } from '../support/environment.mts';
import { temporaryIn } from '../support/n8n.mts';
import { logEnd, waitForLog } from '../support/n8nLog.mts';
import { headOf, send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const trigger = await createTrigger({ name: 'Deliveries: transfer' });

describe('large bodies', () => {
	const mebibyte = 1024 * 1024;
	/** A payload whose JSON is exactly this many bytes long. */
	const sized = (bytes: number) => {
		const fields = payload({ padding: '' });
		const { length } = JSON.stringify(fields);
		return payload({ ...fields, padding: 'x'.repeat(bytes - length) });
	};

	test('1 MiB, signed: accepted, nothing is cut', async () => {
		const body = sized(mebibyte);
		expect((await trigger.accepts(trigger.good(body))).padding).toBe(body.padding);
	});

	for (const bytes of [mebibyte + 1, Math.floor(15.9 * mebibyte)]) {
		test(`${bytes} bytes, signed: too large`, async () => {
			await trigger.refuses(trigger.good(sized(bytes)), 'tooLarge');
		});
	}

	// n8n's own limit, N8N_PAYLOAD_SIZE_MAX; n8n responds with 500, although HTTP has 413 for this.
	test('16 MiB and one byte: n8n itself refuses it', async () => {
		const delivery = trigger.good(sized(16 * mebibyte + 1));
		await trigger.refuses(delivery, 'beyondLimit');
	});

	test('20 MB in chunks, without a length: n8n itself refuses it', async () => {
		const by: typeof send = (url, delivery) => send(url, delivery, { chunked: true });
		await trigger.refuses(trigger.good(sized(20_000_000)), 'beyondLimit', { by });
	});

	test('100 MB of zeros in 100 KB of gzip: n8n itself refuses it', async () => {
		const bomb = gzipSync(Buffer.alloc(100_000_000));
		expect(bomb.length).toBeLessThan(100_000);
		const packed = withHeader(withBody(trigger.good(), bomb), 'Content-Encoding', 'gzip');
		await trigger.refuses(packed, 'beyondLimit');
	});
});

describe('files', () => {
	const boundary = 'e2e-boundary';
	/** A form with a field, and with a file if its content is given. */
	const form = (file?: string) => {
		const part = (disposition: string, content: string) =>
			`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
		const field = part('name="data"', JSON.stringify(payload()));
		const upload = file === undefined ? '' : part('name="file"; filename="upload.txt"', file);
		return `${field}${upload}--${boundary}--\r\n`;
	};
	const asForm = (delivery: Delivery) =>
		withHeader(delivery, 'Content-Type', `multipart/form-data; boundary=${boundary}`);

	/** n8n's temporary files with this content. */
	const leftBehind = (content: string) =>
		readdirSync(temporaryIn(userFolder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => path.join(parentPath, name))
			.filter((file) => readFileSync(file, 'utf8') === content);

	// n8n parses a form itself and does not keep its bytes, so no signature can be checked.
	const content = randomBytes(2_000).toString('hex');
	const anonymous = (body: string): Delivery => ({ headers: [], body: Buffer.from(body) });
	test.each<[title: string, make: () => Delivery]>([
		['a form without a file, signed: refused', () => trigger.good(form())],
		[
			'a form with a file, signed: refused, no temporary file is left',
			() => trigger.good(form(content)),
		],
		['a form without headers of ours: refused', () => anonymous(form(content))],
	])('%s', async (_title, make) => {
		const logs = 'Delivery refused (unverified): the raw body is not available';
		await trigger.refuses(asForm(make()), 'unverified', { logs });
		expect(leftBehind(content)).toStrictEqual([]);
	});

	/** What n8n's form parser passes on for an uploaded file, which anybody could also send as JSON. */
	const disguised = { files: { x: { filepath: '/etc/passwd', originalFilename: 'x' } } };

	test('JSON shaped like an upload, signed: text in the item and no file', async () => {
		assert.ok(existsSync('/etc/passwd') || process.platform === 'win32');
		const execution = await trigger.runs(trigger.good(payload(disguised)));
		const run = execution.data.resultData.runData[triggerName]?.[0];
		const item = run?.data?.main?.[0]?.[0] ?? { json: {} };
		expect(outputOf(execution, triggerName)[0]?.files).toStrictEqual(disguised.files);
		expect(Object.keys(item).sort()).toStrictEqual(['json', 'pairedItem']);
		expect(JSON.stringify(execution)).not.toMatch(/root:/);
	});
});

describe('HTTP', () => {
	for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
		test(`${method}, signed: n8n itself refuses it`, async () => {
			const by: typeof send = (url, delivery) => send(url, delivery, { method });
			await trigger.refuses(trigger.good(), method, { by });
		});
	}

	/** Sends a delivery that announces ten bytes more than it has; waits until n8n handles it. */
	const stall = async (): Promise<Socket> => {
		const { headers, body } = trigger.good();
		const { hostname: host, port } = new URL(trigger.url);
		const socket = connect({ host, port: Number(port) });
		const length: [string, string] = ['Content-Length', String(body.length + 10)];
		socket.write(headOf(trigger.url, [length, ['Expect', '100-continue'], ...headers]));
		// n8n asks for the body, so it has started to handle the delivery.
		await new Promise((resolve) => socket.once('data', resolve));
		await new Promise((resolve) => socket.write(body, resolve));
		return socket;
	};

	test('bodies that do not come to their end: others pass, and nothing starts', async () => {
		const sockets = [await stall(), await stall()];
		for (let count = 0; count < 3; count += 1) await trigger.accepts(trigger.good());
		for (const socket of sockets) expect(socket.readyState).toBe('open');
		const place = logEnd();
		for (const socket of sockets) socket.destroy();
		await waitForLog(place, 'Request body stream was aborted');
		await trigger.assertCount();
		await trigger.accepts(trigger.good());
	});
});
