import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { payload, withHeader, type Delivery } from '../support/delivery.mts';
import { userFolder } from '../support/environment.mts';
import { temporaryIn } from '../support/n8n.mts';
import { createTrigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const trigger = await createTrigger({ name: 'Deliveries: transfer' });

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
	await trigger.refuses(asForm(make()), 'unverified', logs);
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
