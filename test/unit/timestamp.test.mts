import fc from 'fast-check';
import { parseTimestamp } from '../../nodes/DataCollection/webhook/notification.ts';
import { isFresh } from '../../nodes/DataCollection/webhook/verifyDelivery.ts';

const NOW = new Date('2026-11-21T10:20:30.456Z');

/** The same time with as many digits as each unit has. */
const UNITS = [
	{ unit: 'seconds', digitsOf: (ms: number) => String(Math.floor(ms / 1000)) },
	{ unit: 'milliseconds', digitsOf: (ms: number) => String(ms) },
	{ unit: 'microseconds', digitsOf: (ms: number) => `${ms}789` },
	{ unit: 'nanoseconds', digitsOf: (ms: number) => `${ms}789012` },
];

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
		const digits = fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String);
		fc.assert(
			fc.property(digits, (text) => {
				expect(parseTimestamp(text)?.toISOString()).toMatch(/Z$/);
			}),
		);
	});
});

describe('anything but plain digits is refused', () => {
	test.each([
		['zero', '0'],
		['leading zeros', '0001700000000'],
		['20 digits', '1'.repeat(20)],
		['25 digits', '1'.repeat(25)],
		['an exponent', '1e12'],
		['a minus', '-1'],
		['a plus', '+1'],
		['a leading space', ' 1'],
		['a trailing space', '1700000000 '],
		['a line break', '1700000000\n'],
		['a fraction', '1.5'],
		['hexadecimal', '0x65536a40'],
		['Arabic digits', '١٧٠٠٠٠٠٠٠٠'],
		['trailing letters', '1700000000abc'],
		['two values, as Node joins two headers', '1700000000, 1700000000'],
		['nothing', ''],
		['a date', '2026-11-21T10:20:30Z'],
	])('%s', (_title, text) => {
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
	const rows = UNITS.flatMap(({ unit, digitsOf }) =>
		[-301, -300, -299, 299, 300, 301].map((seconds) => ({ unit, digitsOf, seconds })),
	);

	test.each(rows)('$seconds s in $unit', ({ digitsOf, seconds }) => {
		const whole = new Date(Math.floor(NOW.getTime() / 1000) * 1000);
		const time = parseTimestamp(digitsOf(whole.getTime() + seconds * 1000));
		expect(time).toBeDefined();
		expect(time && isFresh(time, whole, 300)).toBe(Math.abs(seconds) <= 300);
	});

	test('one millisecond beyond the border is too old', () => {
		expect(isFresh(new Date(NOW.getTime() - 300_000), NOW, 300)).toBe(true);
		expect(isFresh(new Date(NOW.getTime() - 300_001), NOW, 300)).toBe(false);
		expect(isFresh(new Date(NOW.getTime() + 300_001), NOW, 300)).toBe(false);
	});
});

test('a maximum age of 0 accepts a timestamp a year old', () => {
	const yearOld = new Date(NOW.getTime() - 365 * 24 * 60 * 60 * 1000);
	expect(isFresh(yearOld, NOW, 0)).toBe(true);
	expect(isFresh(yearOld, NOW, 300)).toBe(false);
});
