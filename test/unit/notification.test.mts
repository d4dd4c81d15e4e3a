import fc from 'fast-check';
import {
	parseNotification,
	parseTimestamp,
} from '../../nodes/DataCollection/webhook/notification.ts';
import { isFresh } from '../../nodes/DataCollection/webhook/verifyDelivery.ts';

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
	const pretty = JSON.stringify(FIELDS, null, 2);
	const text = 'Zürich 東京 😀';
	const escaped = '"Z\\u00fcrich \\u6771\\u4EAC \\ud83d\\uDE00"';
	const few = { event: 'a', requestId: '1' };
	const more = { event: 'share.locked', shareStatus: 'archived', more: { list: [1, null] } };
	const nulls = { shareStatus: null, webhookIdentifier: null };
	const invalid = Buffer.from(json({ text: 'ÿ' }), 'latin1');
	const inherited = '{"__proto__":{"polluted":1},"toString":1,"event":"a","requestId":"1"}';

	test.each([
		['compact', json(), FIELDS],
		['with other line ends', `  ${pretty.replaceAll('\n', '\r\n')}\r\n`, FIELDS],
		['with a byte order mark', `\uFEFF${json()}`, FIELDS],
		['with non-ASCII text', json({ text }), { ...FIELDS, text }],
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

	const nested = (depth: number) =>
		json().replace(/}$/, `,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);

	test.each<[why: string, ...bodies: Array<string | Buffer>]>([
		['no object', 'null', '[]', `[${json()}]`, '"x"', '1', '{}'],
		['no JSON', '', '   ', 'event=a&requestId=1', `${json()},`, json().slice(0, -1)],
		['no UTF-8', Buffer.from(json(), 'utf16le')],
		['no requestId', ...[undefined, '', 1, null, {}].map((requestId) => json({ requestId }))],
		['no event', ...[undefined, '', ['an.event']].map((event) => json({ event }))],
		['no text in the other fields', json({ shareStatus: 1 }), json({ webhookIdentifier: {} })],
		['nested too deeply for the stack', nested(100_000)],
	])('as no notification: %s', (_why, ...bodies) => {
		expect(bodies.filter((body) => read(body) !== undefined)).toEqual([]);
	});
});

describe('the timestamp', () => {
	const NOW = new Date('2026-11-21T10:20:30.000Z');

	test.each([
		['1', '1970-01-01T00:00:01.000Z'],
		['99999999999', '5138-11-16T09:46:39.000Z'],
		['100000000000', '1973-03-03T09:46:40.000Z'],
		['1700000000123', '2023-11-14T22:13:20.123Z'],
		['99999999999999', '5138-11-16T09:46:39.999Z'],
		['100000000000000', '1973-03-03T09:46:40.000Z'],
		['1700000000123456', '2023-11-14T22:13:20.123Z'],
		['99999999999999999', '5138-11-16T09:46:39.999Z'],
		['100000000000000000', '1973-03-03T09:46:40.000Z'],
		['1700000000123456789', '2023-11-14T22:13:20.123Z'],
		['9999999999999999999', '2286-11-20T17:46:39.999Z'],
	])('%s is %s: its unit follows from the number of digits', (digits, iso) => {
		expect(parseTimestamp(digits)?.toISOString()).toBe(iso);
	});

	test.each([
		['2026-11-21T10:20:30Z', '2026-11-21T10:20:30.000Z'],
		['2026-11-21T10:20:30.5Z', '2026-11-21T10:20:30.500Z'],
		['2026-11-21T10:20:30.123Z', '2026-11-21T10:20:30.123Z'],
		['2026-11-21T10:20:30.123456789Z', '2026-11-21T10:20:30.123Z'],
	])('%s, in ISO 8601, is %s', (text, iso) => {
		expect(parseTimestamp(text)?.toISOString()).toBe(iso);
	});

	test('is a valid date in any of these numbers', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }), (digits) => {
				expect(parseTimestamp(String(digits))?.toISOString()).toMatch(/Z$/);
			}),
		);
	});

	test('is nothing else', () => {
		const refused = [
			...['0', '0001700000000', '1'.repeat(20), '1'.repeat(25), '1e12', '-1', '+1', ' 1', ''],
			...['1700000000 ', '1700000000\n', '1.5', '0x65536a40', '١٧٠٠٠٠٠٠٠٠', '1700000000abc'],
			// Joined as Node joins two headers.
			...['1700000000, 1700000000', '2026-11-21T10:20:30Z, 2026-11-21T10:20:30Z'],
			...['2026-11-21T10:20:30', '2026-11-21T10:20:30+00:00', '2026-11-21T10:20:30.Z'],
			...['2026-11-21T10:20:30Z.1', '2026-11-21T10:20:30Z\n', ' 2026-11-21T10:20:30Z'],
			...['2026-11-21t10:20:30z', '2026-11-21 10:20:30Z', '2026-11-21T10:20Z', '2026-11-21'],
			...['2026-11-21T10:20:30.1.2Z', '+002026-11-21T10:20:30Z', '٢٠٢٦-11-21T10:20:30Z'],
			// Times that there are not.
			...['2026-13-21T10:20:30Z', '2026-11-21T25:20:30Z', '2026-11-21T10:20:61Z'],
		];
		expect(refused.filter((text) => parseTimestamp(text) !== undefined)).toEqual([]);
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				fc.pre(!/^([1-9][0-9]{0,18}|.*T.*Z)$/s.test(text));
				expect(parseTimestamp(text)).toBeUndefined();
			}),
		);
	});

	test.each([-300_001, -300_000, -299_000, 299_000, 300_000, 300_001])(
		'%i ms from now counts up to 300 s exactly, in any unit',
		(offset) => {
			const isNear = Math.abs(offset) <= 300_000;
			const time = NOW.getTime() + offset;
			const units = [`${time}`, `${time}789`, `${time}789012`];
			if (offset % 1000 === 0) units.push(`${time / 1000}`);
			units.push(new Date(time).toISOString());
			for (const digits of units) {
				expect(isFresh(parseTimestamp(digits) ?? new Date(NaN), NOW, 300)).toBe(isNear);
			}
		},
	);

	test('of a year ago counts with a maximum age of 0', () => {
		const yearOld = new Date(NOW.getTime() - 365 * 24 * 60 * 60 * 1000);
		expect(isFresh(yearOld, NOW, 0)).toBe(true);
		expect(isFresh(yearOld, NOW, 300)).toBe(false);
	});
});
