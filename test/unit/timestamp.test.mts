import fc from 'fast-check';
import { parseTimestamp } from '../../nodes/DataCollection/webhook/notification.ts';
import { isFresh } from '../../nodes/DataCollection/webhook/verifyDelivery.ts';

const NOW = new Date('2026-11-21T10:20:30.000Z');

describe('the unit follows from the number of digits', () => {
	test.each([
		['1', '1970-01-01T00:00:01.000Z'],
		['1700000000', '2023-11-14T22:13:20.000Z'],
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
	])('%s is %s', (digits, iso) => {
		expect(parseTimestamp(digits)?.toISOString()).toBe(iso);
	});

	test('every accepted text is a valid date', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }), (digits) => {
				expect(parseTimestamp(String(digits))?.toISOString()).toMatch(/Z$/);
			}),
		);
	});
});

describe('anything but plain digits is refused', () => {
	test.each([
		...['0', '0001700000000', '1'.repeat(20), '1'.repeat(25), '1e12', '-1', '+1', ' 1', ''],
		...['1700000000 ', '1700000000\n', '1.5', '0x65536a40', '١٧٠٠٠٠٠٠٠٠', '1700000000abc'],
		// As Node joins two headers.
		'1700000000, 1700000000',
		'2026-11-21T10:20:30Z',
	])('%j', (text) => {
		expect(parseTimestamp(text)).toBeUndefined();
	});

	test('no other text at all', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				fc.pre(!/^[1-9][0-9]{0,18}$/.test(text) || text.includes('\n'));
				expect(parseTimestamp(text)).toBeUndefined();
			}),
		);
	});
});

describe('the freshness border is exact in both directions', () => {
	test.each([-301, -300, -299, 299, 300, 301])('%i s, in any unit', (seconds) => {
		const milliseconds = String(NOW.getTime() + seconds * 1000);
		const units = [milliseconds.slice(0, -3), milliseconds, `${milliseconds}789`];
		for (const digits of [...units, `${milliseconds}789012`]) {
			const time = parseTimestamp(digits) ?? new Date(NaN);
			expect(isFresh(time, NOW, 300)).toBe(Math.abs(seconds) <= 300);
		}
	});

	test.each([
		[-300_000, true],
		[-300_001, false],
		[300_001, false],
	])('%i ms', (milliseconds, fresh) => {
		expect(isFresh(new Date(NOW.getTime() + milliseconds), NOW, 300)).toBe(fresh);
	});
});

test('a maximum age of 0 accepts a timestamp a year old', () => {
	const yearOld = new Date(NOW.getTime() - 365 * 24 * 60 * 60 * 1000);
	expect(isFresh(yearOld, NOW, 0)).toBe(true);
	expect(isFresh(yearOld, NOW, 300)).toBe(false);
});
