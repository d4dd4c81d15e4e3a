import fc from 'fast-check';
import { units } from '../letters.mts';
import { drawn, names, ofHeader, ofLetter, tabled } from './mutation.mts';

const limit = 300_000;
const unit = fc.constantFrom(...Object.keys(units));
const written = (name: string, time: number) => (units[name] ?? String)(time);

const edges = fc.tuple(
	fc.constantFrom(-limit, limit),
	fc.constantFrom(-1000, -30, -1, 0, 1, 30, 1000),
);
const years = fc.integer({ min: -30, max: 30 });

/** Milliseconds before now; negative values are in the future. */
const age = fc.oneof(
	{ arbitrary: fc.integer({ min: -limit, max: limit }), weight: 3 },
	{ arbitrary: edges.map(([edge, more]) => edge + more), weight: 4 },
	{ arbitrary: fc.integer({ min: -4 * limit, max: 4 * limit }), weight: 2 },
	{ arbitrary: years.map((count) => count * 31_557_600_000), weight: 1 },
);

/** As UTF-8, with each byte as one character of the header. */
const inArabic = (digits: string) =>
	Buffer.from(
		digits.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
	).toString('latin1');

const odd: Array<[title: string, write: (now: number) => string]> = [
	['zero', () => '0'],
	['nothing', () => ''],
	['a leading zero', (now) => `0${now}`],
	['a plus sign', (now) => `+${now}`],
	['a minus sign', (now) => `-${now}`],
	['a fraction', (now) => `${now / 1000}.5`],
	['a dot at the end', (now) => `${now}.`],
	['an exponent', (now) => (now / 1e12).toFixed(12) + 'e12'],
	['hexadecimal', (now) => `0x${now.toString(16)}`],
	['an underscore', (now) => String(now).replace(/(\d{3})$/, '_$1')],
	['a space inside', (now) => String(now).replace(/(\d{3})$/, ' $1')],
	['letters at the end', (now) => `${now}ms`],
	['two of them', (now) => `${now}, ${now}`],
	['20 digits', (now) => `${now}0000000`],
	['25 digits', () => '1'.repeat(25)],
	['1,000 digits', (now) => String(now).padEnd(1_000, '0')],
	['an ISO time', (now) => new Date(now).toISOString()],
	['Arabic digits', (now) => inArabic(String(now))],
	['Infinity', () => 'Infinity'],
	['NaN', () => 'NaN'],
	['one', () => '1'],
	['11 nines', () => '9'.repeat(11)],
	['19 nines', () => '9'.repeat(19)],
];

/** Times at and beyond the limits of the window, in valid and invalid units. */
export const timestampMutations = fc.oneof(
	drawn(5, [age, unit], (milliseconds, name) =>
		ofLetter(`signed ${milliseconds} ms before now, in ${name}`, (_letter, _world, now) => {
			return { timestamp: written(name, now - milliseconds) };
		}),
	),
	tabled(3, odd, (title, write) =>
		ofLetter(`signed with ${title} as the time`, (_letter, _world, now) => {
			return { timestamp: write(now) };
		}),
	),
	// Changed after signing, sometimes only to a different notation of the same time.
	drawn(
		2,
		[unit, fc.integer({ min: -2, max: 2 }), fc.constantFrom('', '0', '.', ' 1')],
		(name, seconds, end) => {
			const title = `another time in the header: ${seconds} s off, in ${name}, "${end}" after it`;
			return ofHeader(title, names.timestamp, (value) => {
				const digits = value.slice(0, 13).padEnd(13, '0');
				return `${written(name, Number(digits) + seconds * 1000)}${end}`;
			});
		},
	),
);
