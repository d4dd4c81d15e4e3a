import { parseNotification } from '../../nodes/DataCollection/service/notification.ts';
import { parseTimestamp } from '../../nodes/DataCollection/service/signature.ts';

// Which bodies and times count is compared with another verifier in fuzz.test.mts.

const read = (body: string | Buffer) => parseNotification(Buffer.from(body));

const few = { event: 'a', requestId: '1' };
const json = (changes: object) => JSON.stringify({ ...few, ...changes });

test.each<[string, string | Buffer, object]>([
	[
		'with a byte order mark and other line ends',
		'\uFEFF {"event":"a",\r\n"requestId":"1"}\r\n',
		few,
	],
	[
		'escaped',
		'{"event":"a","requestId":"1","text":"Z\\u00fcrich \\u6771\\u4EAC \\ud83d\\uDE00"}',
		{ ...few, text: 'Zürich 東京 😀' },
	],
	['with a repeated key: the last counts', '{"event":"a","requestId":"2","requestId":"1"}', few],
	[
		'with unknown fields',
		json({ more: { list: [1, null] } }),
		{ ...few, more: { list: [1, null] } },
	],
	['with null in place of a text', json({ shareStatus: null }), { ...few, shareStatus: null }],
	[
		'with invalid UTF-8, which is replaced',
		Buffer.from(json({ text: 'ÿ' }), 'latin1'),
		{ ...few, text: '\uFFFD' },
	],
	[
		'without names that every object inherits',
		'{"__proto__":{"polluted":1},"toString":1,"event":"a","requestId":"1"}',
		few,
	],
])('the body is read %s', (_title, body, notification) => {
	expect(read(body)).toEqual(notification);
	expect('polluted' in {}).toBe(false);
});

test.each<[why: string, ...bodies: string[]]>([
	['no object', 'null', '[]', `[${json({})}]`, '"x"'],
	['no requestId', ...[undefined, '', 1, {}].map((requestId) => json({ requestId }))],
	['no event', ...[undefined, '', ['an.event']].map((event) => json({ event }))],
	['no text in the other fields', json({ shareStatus: 1 }), json({ webhookIdentifier: {} })],
	['too deep for the stack', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('the body is no notification: %s', (_why, ...bodies) => {
	expect(bodies.filter((body) => read(body) !== undefined)).toEqual([]);
});

test.each([
	['1', '1970-01-01T00:00:01.000Z'],
	['99999999999', '5138-11-16T09:46:39.000Z'],
	['100000000000', '1973-03-03T09:46:40.000Z'],
	['99999999999999', '5138-11-16T09:46:39.999Z'],
	['100000000000000', '1973-03-03T09:46:40.000Z'],
	['99999999999999999', '5138-11-16T09:46:39.999Z'],
	['100000000000000000', '1973-03-03T09:46:40.000Z'],
	['2026-11-21T10:20:30.123456789Z', '2026-11-21T10:20:30.123Z'],
	['2026-11-21T10:20:30+00:00', '2026-11-21T10:20:30.000Z'],
	['2026-11-21T10:20:30.123456+00:00', '2026-11-21T10:20:30.123Z'],
])('the timestamp %s is %s: the unit of digits follows from their number', (text, iso) => {
	expect(parseTimestamp(text)?.toISOString()).toBe(iso);
});
