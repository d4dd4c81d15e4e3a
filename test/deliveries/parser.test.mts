import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { itemOf, payload, withBody, without, withHeader } from '../support/delivery.mts';
import { service, userFolder } from '../support/environment.mts';
import { temporaryIn } from '../support/n8n.mts';
import { createTrigger } from '../support/trigger.mts';
import { setNode } from '../support/workflows.mts';

// What n8n's parsers do to a body and Node's to headers, before the trigger sees them.

const then = [setNode('Edit Fields', 'copied', '={{ $json.requestId }}')];
const trigger = await createTrigger({ name: 'Deliveries: parser', then });

test.each([
	['as JSON in UTF-8', { type: 'application/json; charset=utf-8' }],
	['as text', { type: 'text/plain' }],
	['as bytes', { type: 'application/octet-stream' }],
	['as a form that it is not', { type: 'application/x-www-form-urlencoded' }],
	['without a type', { type: undefined }],
	['behind a byte order mark', { mark: '\uFEFF' }],
	['packed by gzip', { packing: 'gzip', pack: gzipSync }],
	['packed by deflate', { packing: 'deflate', pack: deflateSync }],
])('%s: accepted, every field intact', async (_title, { type, mark = '', packing, pack }: Sent) => {
	const fields = payload({ note: 'a=1&b=2; Zürich 東京 😀' });
	const signed = trigger.good(`${mark}${JSON.stringify(fields)}`);
	const typed = withHeader(signed, 'Content-Type', ...(type === undefined ? [] : [type]));
	const packed = pack && withBody(typed, pack(signed.body));
	const sent = packed ? withHeader(packed, 'Content-Encoding', String(packing)) : typed;
	expect(await trigger.accepts(sent)).toStrictEqual(itemOf(sent, fields, service.url));
});

interface Sent {
	type?: string | undefined;
	mark?: string;
	packing?: string;
	pack?: (plain: Buffer) => Buffer;
}

test('the signature is of the bytes: not of a text with the same meaning, not of what is packed', async () => {
	const fields = payload();
	const pretty = withBody(trigger.good(fields), JSON.stringify(fields, null, 2));
	await trigger.refuses(pretty, '401 unverified', 'X-SVC-Signature does not match');
	const packed = trigger.good(gzipSync(JSON.stringify(fields)));
	const named = withHeader(packed, 'Content-Encoding', 'gzip');
	await trigger.refuses(named, '401 unverified', 'X-SVC-Signature does not match');
});

test('keys that every object inherits: dropped, and the next node works', async () => {
	const body = JSON.stringify(payload({ requestId: 'r1' }));
	const hostile = body.replace(
		'{',
		'{"__proto__":{"polluted":1},"hasOwnProperty":1,"toString":"x",',
	);
	const [item = {}] = outputOf(await trigger.runs(trigger.good(hostile)), 'Edit Fields');
	expect(item.copied).toBe('r1');
	const [next = {}] = outputOf(await trigger.runs(trigger.good()), 'Edit Fields');
	expect(next.polluted).toBe(undefined);
});

test('headers: names in any case, and no more than one signature and one timestamp', async () => {
	const good = trigger.good();
	const upper = good.headers.map(([name, value]): [string, string] => [name.toUpperCase(), value]);
	await trigger.accepts({ ...good, headers: upper });
	for (const name of ['X-SVC-Signature', 'X-SVC-Timestamp']) {
		const once = trigger.good();
		const value = once.headers.find(([one]) => one === name)?.[1] ?? '';
		await trigger.refuses(withHeader(once, name, value, value), '401 unverified');
		await trigger.refuses(without(once, name), '401 unverified', `${name} is missing`);
	}
});

test('1 MiB is accepted whole, and a byte more is too large', async () => {
	const { length } = JSON.stringify(payload({ padding: '' }));
	const padding = 'x'.repeat(1024 * 1024 - length);
	expect((await trigger.accepts(trigger.good(payload({ padding })))).padding).toBe(padding);
	await trigger.refuses(trigger.good(payload({ padding: `${padding}x` })), '413 too large');
});

test('an uploaded file is refused, and n8n keeps nothing of it', async () => {
	const content = randomBytes(2_000).toString('hex');
	const head = 'Content-Disposition: form-data; name="file"; filename="upload.txt"';
	const form = trigger.good(`--cut\r\n${head}\r\n\r\n${content}\r\n--cut--\r\n`);
	const sent = withHeader(form, 'Content-Type', 'multipart/form-data; boundary=cut');
	await trigger.refuses(sent, '401 unverified', 'the raw body is not available');
	const kept = readdirSync(temporaryIn(userFolder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'));
	expect(kept.filter((text) => text.includes(content))).toEqual([]);
});
