import { createSanitizer } from '../../nodes/DataCollection/sanitize.ts';
import { parseNotification } from '../../nodes/DataCollection/webhook/notification.ts';

const read = (text: string | Buffer, secrets: string[] = []) =>
	parseNotification(Buffer.from(text), createSanitizer(secrets));

const FIELDS = {
	event: 'collection_request.updated',
	requestId: '65f0c1a2b3c4d5e6f7a8b9c2',
	shareStatus: 'completed',
	webhookIdentifier: 'onboarding',
	timestamp: '1700000000000',
};
const json = (changes: object) => JSON.stringify({ ...FIELDS, ...changes });

describe('is read', () => {
	test('as it came, from compact and from spread-out JSON', () => {
		expect(read(JSON.stringify(FIELDS))).toEqual(FIELDS);
		const pretty = JSON.stringify(FIELDS, null, 2);
		expect(read(pretty)).toEqual(FIELDS);
		expect(read(`  ${pretty.replaceAll('\n', '\r\n')}\r\n`)).toEqual(FIELDS);
	});

	test('with a byte order mark', () => {
		expect(read(`\uFEFF${JSON.stringify(FIELDS)}`)).toEqual(FIELDS);
	});

	test('with non-ASCII text, raw and escaped', () => {
		const text = 'Zürich 東京 😀';
		const escaped = '"Z\\u00fcrich \\u6771\\u4EAC \\ud83d\\uDE00"';
		expect(read(json({ text }))).toMatchObject({ text });
		expect(read(json({ text }).replace(JSON.stringify(text), escaped))).toMatchObject({ text });
	});

	test('with invalid UTF-8 inside a text, which becomes the replacement character', () => {
		const [before = '', after = ''] = json({ text: '@' }).split('@');
		const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
		expect(read(body)).toMatchObject({ text: '\uFFFD' });
	});

	test('with a repeated key, of which the last one counts', () => {
		expect(read('{"event":"a","requestId":"1","requestId":"2"}')).toEqual({
			event: 'a',
			requestId: '2',
		});
	});

	test('with unknown fields, statuses and events', () => {
		const future = { event: 'share.locked', shareStatus: 'archived', more: { list: [1, null] } };
		expect(read(json(future))).toEqual({ ...FIELDS, ...future });
	});

	test('without webhookIdentifier and shareStatus, or with null', () => {
		expect(read('{"event":"a","requestId":"1"}')).toEqual({ event: 'a', requestId: '1' });
		const empty = { shareStatus: null, webhookIdentifier: null };
		expect(read(json(empty))).toEqual({ ...FIELDS, ...empty });
	});

	test('without names that every object inherits', () => {
		const text = '{"__proto__":{"polluted":1},"toString":1,"event":"a","requestId":"1"}';
		expect(read(text)).toEqual({ event: 'a', requestId: '1' });
		expect('polluted' in {}).toBe(false);
	});

	test('with secrets hidden', () => {
		expect(read(json({ text: 'my-secret-value' }), ['my-secret-value'])).toMatchObject({
			text: '(hidden)',
		});
	});
});

describe('is not a notification', () => {
	test.each([
		['null', 'null'],
		['a list', '[]'],
		['a list of notifications', `[${JSON.stringify(FIELDS)}]`],
		['a text', '"x"'],
		['a number', '1'],
		['an empty object', '{}'],
		['an empty body', ''],
		['spaces', '   '],
		['invalid JSON', `${JSON.stringify(FIELDS)},`],
		['cut-off JSON', JSON.stringify(FIELDS).slice(0, -1)],
		['a form', 'event=a&requestId=1'],
		['UTF-16', Buffer.from(JSON.stringify(FIELDS), 'utf16le')],
		['no requestId', json({ requestId: undefined })],
		['requestId empty', json({ requestId: '' })],
		['requestId a number', json({ requestId: 1 })],
		['requestId null', json({ requestId: null })],
		['requestId an object', json({ requestId: {} })],
		['no event', json({ event: undefined })],
		['event empty', json({ event: '' })],
		['event a list', json({ event: ['collection_request.updated'] })],
		['shareStatus a number', json({ shareStatus: 1 })],
		['webhookIdentifier an object', json({ webhookIdentifier: {} })],
		['1,000 lists deep', json({}).replace(/}$/, `,"a":${'['.repeat(1e3)}${']'.repeat(1e3)}}`)],
		['100,000 lists deep', json({}).replace(/}$/, `,"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)],
	])('%s', (_title, body) => {
		expect(read(body)).toBeUndefined();
	});
});
