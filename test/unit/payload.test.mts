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
const json = (changes: object = {}) => JSON.stringify({ ...FIELDS, ...changes });

describe('is read', () => {
	const pretty = JSON.stringify(FIELDS, null, 2);
	const text = 'Zürich 東京 😀';
	const escaped = '"Z\\u00fcrich \\u6771\\u4EAC \\ud83d\\uDE00"';
	const few = { event: 'a', requestId: '1' };
	const more = { event: 'share.locked', shareStatus: 'archived', more: { list: [1, null] } };
	const nulls = { shareStatus: null, webhookIdentifier: null };

	test.each([
		['compact', json(), FIELDS],
		['spread out', pretty, FIELDS],
		['with other line ends', `  ${pretty.replaceAll('\n', '\r\n')}\r\n`, FIELDS],
		['with a byte order mark', `\uFEFF${json()}`, FIELDS],
		['with non-ASCII text', json({ text }), { ...FIELDS, text }],
		['escaped', json({ text }).replace(JSON.stringify(text), escaped), { ...FIELDS, text }],
		['with a repeated key: the last counts', '{"event":"a","requestId":"2","requestId":"1"}', few],
		['with unknown fields, statuses and events', json(more), { ...FIELDS, ...more }],
		['without webhookIdentifier and shareStatus', JSON.stringify(few), few],
		['with null in their place', json(nulls), { ...FIELDS, ...nulls }],
	])('%s', (_title, body, notification) => {
		expect(read(body)).toEqual(notification);
	});

	test('with invalid UTF-8 inside a text, which becomes the replacement character', () => {
		const [before = '', after = ''] = json({ text: '@' }).split('@');
		const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
		expect(read(body)).toMatchObject({ text: '\uFFFD' });
	});

	test('without names that every object inherits', () => {
		const hostile = '{"__proto__":{"polluted":1},"toString":1,"event":"a","requestId":"1"}';
		expect(read(hostile)).toEqual(few);
		expect('polluted' in {}).toBe(false);
	});

	test('with secrets hidden', () => {
		const secret = 'my-secret-value';
		expect(read(json({ text: secret }), [secret])).toMatchObject({ text: '(hidden)' });
	});
});

describe('is not a notification', () => {
	const nested = (depth: number) =>
		json().replace(/}$/, `,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);

	test.each([
		...['null', '[]', `[${json()}]`, '"x"', '1', '{}', '', '   ', 'event=a&requestId=1'],
		...[`${json()},`, json().slice(0, -1), Buffer.from(json(), 'utf16le')],
	])('%s', (body) => {
		expect(read(body)).toBeUndefined();
	});

	test.each([
		...[undefined, '', 1, null, {}].map((requestId) => ({ requestId })),
		...[undefined, '', ['collection_request.updated']].map((event) => ({ event })),
		...[{ shareStatus: 1 }, { webhookIdentifier: {} }],
	])('with %p', (changes) => {
		expect(read(json(changes))).toBeUndefined();
	});

	test.each([1_000, 100_000])('%i lists deep', (depth) => {
		expect(read(nested(depth))).toBeUndefined();
	});
});
