import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { payload, signed, withHeader } from '../support/delivery.mts';
import type { Delivery } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const boundary = 'e2e-boundary';
const formType = `multipart/form-data; boundary=${boundary}`;

/** A form with a field, and a file in it when its content is given. */
function form(file?: string): string {
	const part = (disposition: string, content: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
	const field = part('name="data"', JSON.stringify(payload()));
	const upload = file === undefined ? '' : part('name="file"; filename="upload.txt"', file);
	return `${field}${upload}--${boundary}--\r\n`;
}

/** Files in the folder for temporary files with this content. */
function leftBehind(content: string): string[] {
	return readdirSync(tmpdir()).filter((name) => {
		const file = path.join(tmpdir(), name);
		// Others use the folder too, and what they have there may be gone by now.
		const info = statSync(file, { throwIfNoEntry: false });
		if (info?.isFile() !== true || info.size !== content.length) return false;
		return readFileSync(file, 'utf8') === content;
	});
}

/** What n8n's form parser hands on for an uploaded file, as it could be typed by anybody. */
const disguised = { files: { x: { filepath: '/etc/passwd', originalFilename: 'x' } } };

describe('files', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E files' });
	});
	const asForm = (delivery: Delivery) => withHeader(delivery, 'Content-Type', formType);

	// n8n reads a form by itself and keeps no bytes of it, so that no signature can be checked.
	test('W69 a form without a file, signed: refused', async () => {
		const delivery = signed({ secret: trigger.secret, body: form() });
		await trigger.refuses(asForm(delivery), 'unverified', {
			logs: 'Delivery refused (unverified): the raw body is not available',
		});
	});

	test('W69 a form with a file, signed: refused, no temporary file is left', async () => {
		const content = randomBytes(2_000).toString('hex');
		const delivery = signed({ secret: trigger.secret, body: form(content) });
		await trigger.refuses(asForm(delivery), 'unverified', {
			logs: 'Delivery refused (unverified): the raw body is not available',
		});
		assert.deepEqual(leftBehind(content), []);
	});

	test('W69 a form without headers of ours: refused', async () => {
		const headers: Delivery['headers'] = [['Content-Type', formType]];
		const anonymous = { headers, body: Buffer.from(form('content')) };
		await trigger.refuses(anonymous, 'unverified', { logs: 'the raw body is not available' });
	});

	test('W69 JSON announced as a form: n8n itself answers 400', async () => {
		await trigger.rejects(asForm(trigger.good()), 'noForm');
	});

	test('W70 JSON shaped like an upload, signed: text in the item and no file', async () => {
		assert.ok(existsSync('/etc/passwd') || process.platform === 'win32');
		const body = payload(disguised);
		const execution = await trigger.runs(signed({ secret: trigger.secret, body }));
		const output = execution.data.resultData.runData[triggerName]?.[0]?.data?.main?.[0];
		const [item = { json: {} }] = output ?? [];
		assert.deepEqual(item.json.files, disguised.files);
		assert.deepEqual(Object.keys(item).sort(), ['json', 'pairedItem']);
		assert.doesNotMatch(JSON.stringify(execution), /root:/);
	});

	test('W70 the same without a request ID, signed: 400', async () => {
		const body = JSON.stringify(disguised);
		await trigger.refuses(signed({ secret: trigger.secret, body }), 'malformed', {
			logs: 'Delivery refused (malformed)',
		});
	});

	test('W70 the same, not signed: refused', async () => {
		const forged = signed({ secret: 'not the secret', body: payload(disguised) });
		await trigger.refuses(forged, 'unverified', { logs: 'X-SVC-Signature does not match' });
	});
});
