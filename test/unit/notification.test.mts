import {
	parseNotification,
	parseTimestamp,
} from '../../nodes/DataCollection/service/notification.ts';

// Which bodies and times count is compared with another verifier in fuzz.test.mts.

const read = (body: string | Buffer) => parseNotification(Buffer.from(body));

const FIELDS = {
	event: 'collection_request.updated',
	requestId: '65f0c1a2b3c4d5e6f7a8b9c2',
	shareStatus: 'completed',
	webhookIdentifier: 'onboarding',
	timestamp: '1700000000000',
};
const json = (changes: object = {}) => JSON.stringify({ ...FIELDS, ...changes });

describe('the body is read', () => {
	const pretty = JSON.stringify(FIELDS, null, 2).replaceAll('\n', '\r\n');
	const text = 'Zürich 東京 😀';
	const escaped = '"Z\\u00fcrich \\u6771\\u4EAC \\ud83d\\uDE00"';
	const few = { event: 'a', requestId: '1' };
	const more = { event: 'share.locked', shareStatus: 'archived', more: { list: [1, null] } };
	const nulls = { shareStatus: null, webhookIdentifier: null };
	const invalid = Buffer.from(json({ text: 'ÿ' }), 'latin1');
	const inherited = '{"__proto__":{"polluted":1},"toString":1,"event":"a","requestId":"1"}';

	test.each([
		['with a byte order mark and other line ends', `\uFEFF ${pretty}\r\n`, FIELDS],
		['escaped', json({ text }).replace(JSON.stringify(text), escaped), { ...FIELDS, text }],
		['with a repeated key: the last counts', '{"event":"a","requestId":"2","requestId":"1"}', few],
		['with unknown fields, statuses and events', json(more), { ...FIELDS, ...more }],
		['without webhookIdentifier and shareStatus', JSON.stringify(few), few],
		['with null in their place', json(nulls), { ...FIELDS, ...nulls }],
		['with invalid UTF-8, which is replaced', invalid, { ...FIELDS, text: '\uFFFD' }],
		['without names that every object inherits', inherited, few],
	])('%s', (_title, body, notification) => {
		expect(read(body)).toEqual(notification);
		expect('polluted' in {}).toBe(false);
	});

	test.each<[why: string, ...bodies: string[]]>([
		['no object', 'null', '[]', `[${json()}]`, '"x"', '{}'],
		['no requestId', ...[undefined, '', 1, null, {}].map((requestId) => json({ requestId }))],
		['no event', ...[undefined, '', ['an.event']].map((event) => json({ event }))],
		['no text in the other fields', json({ shareStatus: 1 }), json({ webhookIdentifier: {} })],
		['too deep for the stack', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
	])('as no notification: %s', (_why, ...bodies) => {
		expect(bodies.filter((body) => read(body) !== undefined)).toEqual([]);
	});
});

describe('the timestamp', () => {
	test.each([
		['1', '1970-01-01T00:00:01.000Z'],
		['99999999999', '5138-11-16T09:46:39.000Z'],
		['100000000000', '1973-03-03T09:46:40.000Z'],
		['99999999999999', '5138-11-16T09:46:39.999Z'],
		['100000000000000', '1973-03-03T09:46:40.000Z'],
		['99999999999999999', '5138-11-16T09:46:39.999Z'],
		['100000000000000000', '1973-03-03T09:46:40.000Z'],
		['9999999999999999999', '2286-11-20T17:46:39.999Z'],
		['2026-11-21T10:20:30Z', '2026-11-21T10:20:30.000Z'],
		['2026-11-21T10:20:30.123456789Z', '2026-11-21T10:20:30.123Z'],
	])('%s is %s: its unit follows from the number of digits', (text, iso) => {
		expect(parseTimestamp(text)?.toISOString()).toBe(iso);
	});
});
