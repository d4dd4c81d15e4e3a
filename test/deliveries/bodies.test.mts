import { deflateSync, gzipSync } from 'node:zlib';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { itemOf, payload, withBody, without, withHeader } from '../support/delivery.mts';
import { serviceUrl } from '../support/environment.mts';
import { createTrigger } from '../support/trigger.mts';
import { setNode } from '../support/workflows.mts';

const then = [setNode('Edit Fields', 'copied', '={{ $json.requestId }}')];
const trigger = await createTrigger({ name: 'Deliveries: bodies', then });

const notSigned = 'X-SVC-Signature does not match';
const bom = '\uFEFF';
const cities = { city: 'Zürich 東京 😀', path: 'a/b' };

const minified = (fields: Json) => JSON.stringify(fields);
const pretty = (fields: Json) => JSON.stringify(fields, null, 2);
const hexOf = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0');
const lowerCase = (text: string) => text.replace(/[^\0-\x7f]/g, (unit) => `\\u${hexOf(unit)}`);
const same = (text: string) => text;

/** Ways to write the same payload. */
test.each<[title: string, write: (fields: Json) => string]>([
	['minified JSON', minified],
	['\\u escapes in lower case', (fields) => lowerCase(minified(fields))],
	['a byte order mark', (fields) => bom + minified(fields)],
])('%s: accepted, every field intact', async (_title, write) => {
	const fields = payload(cities);
	const delivery = trigger.good(write(fields));
	expect(await trigger.accepts(delivery)).toStrictEqual(itemOf(delivery, fields, serviceUrl));
});

/** Signed as one text, sent as another with the same meaning. */
test.each<[title: string, signedAs: (text: string) => string, sentAs: (text: string) => string]>([
	['minified, pretty-printed', same, (text) => pretty(JSON.parse(text) as Json)],
	['no byte order mark, one', same, (text) => bom + text],
])('%s instead of the signed text: refused', async (_title, signedAs, sentAs) => {
	const text = minified(payload(cities));
	const delivery = withBody(trigger.good(signedAs(text)), sentAs(text));
	await trigger.refuses(delivery, 'unverified', notSigned);
});

test('bytes that are not UTF-8: accepted, but not with other such bytes', async () => {
	const bytes = (byte: number) => {
		const body = Buffer.from(minified(payload({ note: '#' })));
		body[body.indexOf('#')] = byte;
		return body;
	};
	expect((await trigger.accepts(trigger.good(bytes(0xff)))).note).toBe('\uFFFD');
	const delivery = trigger.good(bytes(0xff));
	const swapped = Buffer.from(delivery.body);
	swapped[swapped.indexOf(0xff)] = 0xfe;
	await trigger.refuses(withBody(delivery, swapped), 'unverified', notSigned);
	await trigger.accepts(delivery);
});

const packings: Array<[name: string, pack: (plain: Buffer) => Buffer]> = [
	['gzip', gzipSync],
	['deflate', deflateSync],
];
for (const [name, pack] of packings) {
	test(`${name} around the signed body: accepted, the signed bytes count`, async () => {
		const fields = payload({ note: 'Zürich' });
		const delivery = trigger.good(fields);
		const packed = withHeader(withBody(delivery, pack(delivery.body)), 'Content-Encoding', name);
		expect(await trigger.accepts(packed)).toStrictEqual(itemOf(delivery, fields, serviceUrl));
	});

	test(`${name}, the compressed bytes are signed: refused`, async () => {
		const packed = trigger.good(pack(Buffer.from(minified(payload()))));
		await trigger.refuses(withHeader(packed, 'Content-Encoding', name), 'unverified', notSigned);
	});
}

for (const type of [
	'application/json; charset=utf-8',
	'text/plain',
	'application/octet-stream',
	'application/x-www-form-urlencoded',
	undefined,
]) {
	test(`${type ?? 'no Content-Type'}: accepted, the same item`, async () => {
		const fields = payload({ note: 'a=1&b=2; Zürich' });
		const untyped = without(trigger.good(fields), 'Content-Type');
		const delivery = type === undefined ? untyped : withHeader(untyped, 'Content-Type', type);
		expect(await trigger.accepts(delivery)).toStrictEqual(itemOf(delivery, fields, serviceUrl));
		await trigger.accepts(trigger.good());
	});
}

test('keys that every object inherits: dropped, the next node works', async () => {
	const hostile =
		'"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},' +
		'"hasOwnProperty":1,"toString":"x","nested":{"__proto__":{"polluted":1},"kept":1}';
	const fields = payload();
	const body = minified(fields).replace('{', `{${hostile},`);
	const [item = {}] = outputOf(await trigger.runs(trigger.good(body)), 'Edit Fields');
	expect(item.copied).toBe(fields.requestId);
	expect(item.nested).toStrictEqual({ kept: 1 });
	const inherited = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
	expect(inherited.filter((name) => Object.hasOwn(item, name))).toStrictEqual([]);
	// n8n's own process is unharmed too: the next run's item inherits no field.
	const [next = {}] = outputOf(await trigger.runs(trigger.good()), 'Edit Fields');
	expect(next.polluted).toBe(undefined);
});

test('invalid JSON as text/plain: 400', async () => {
	const delivery = trigger.good('{"requestId":"marker-w26",}');
	await trigger.refuses(withHeader(delivery, 'Content-Type', 'text/plain'), 'malformed');
});
