import fc from 'fast-check';
import {
	cleanCopy,
	hideSecrets,
	isInheritedName,
	MAXIMUM_DEPTH,
} from '../../nodes/DataCollection/shared/cleanCopy';
import { parseObject } from '../support/json.cts';

const INHERITED = [
	'__proto__',
	'constructor',
	'prototype',
	'hasOwnProperty',
	'toString',
	'valueOf',
	'isPrototypeOf',
	'__defineGetter__',
	'__lookupSetter__',
];

const nested = (depth: number, open: string, close: string) =>
	parseObject(`{"a":${open.repeat(depth)}1${close.repeat(depth)}}`);

/** Every key of a value, at every depth. */
function keysOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

describe('names that every object inherits are left out (W16)', () => {
	test.each(INHERITED)('%s, at every depth and inside lists', (name) => {
		const key = JSON.stringify(name);
		const hostile = parseObject(
			`{${key}:{"polluted":1},"a":{${key}:1,"b":[{${key}:{"polluted":1},"c":2}]}}`,
		);
		expect(JSON.stringify(cleanCopy(hostile, []))).toBe('{"a":{"b":[{"c":2}]}}');
	});

	test('nothing is polluted by copying, assigning or merging the copy', () => {
		const hostile = parseObject(
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}',
		);
		const copy = cleanCopy(hostile, []);
		Object.assign({}, copy);
		expect('polluted' in {}).toBe(false);
		expect('polluted' in copy).toBe(false);
		expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
		expect(copy).toEqual({ a: 1 });
	});

	test('for any JSON', () => {
		const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom(...INHERITED));
		const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 4 },
				fc.jsonValue({ maxDepth: 0 }),
				fc.array(tie('tree'), { maxLength: 3 }),
				fc
					.array(fc.tuple(key, tie('tree')), { maxLength: 4 })
					.map((entries) =>
						parseObject(
							`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
						),
					),
			),
		}));
		fc.assert(
			fc.property(tree, (value) => {
				const copy = cleanCopy(parseObject(JSON.stringify({ value })), []);
				expect(keysOf(copy).filter(isInheritedName)).toEqual([]);
			}),
		);
	});
});

test('JSON without such names passes through unchanged', () => {
	const key = fc
		.string({ unit: 'grapheme' })
		.filter((name) => !isInheritedName(name) && name !== 'webhookSecret');
	const plain = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
	fc.assert(
		fc.property(plain, (object) => {
			const value = parseObject(JSON.stringify(object));
			fc.pre(keysOf(value).every((name) => !isInheritedName(name) && name !== 'webhookSecret'));
			expect(JSON.stringify(cleanCopy(value, ['a secret of no interest']))).toBe(
				JSON.stringify(value),
			);
		}),
	);
});

test('the copy shares nothing with the original', () => {
	const original = { list: [{ a: 1 }] };
	const copy = cleanCopy(original, []);
	original.list.push({ a: 2 });
	expect(copy).toEqual({ list: [{ a: 1 }] });
});

test('webhookSecret is left out at every depth, whatever it holds (S39)', () => {
	const value = { webhookSecret: 'x', a: { webhookSecret: 1, b: [{ webhookSecret: null, c: 1 }] } };
	expect(cleanCopy(value, [])).toEqual({ a: { b: [{ c: 1 }] } });
});

describe('secrets', () => {
	const secrets = ['key-12345678', 'token-12345678'];

	test('are hidden in texts and names, at every depth', () => {
		const value = {
			'X-key-12345678': ['Bearer key-12345678'],
			a: { b: 'token-12345678 and key-12345678' },
		};
		expect(cleanCopy(value, secrets)).toEqual({
			'X-(hidden)': ['Bearer (hidden)'],
			a: { b: '(hidden) and (hidden)' },
		});
	});

	test('shorter than 8 characters are left, because they would hit ordinary words', () => {
		expect(hideSecrets('open and completed', ['open'])).toBe('open and completed');
		expect(hideSecrets('an opening1 text', ['opening1'])).toBe('an (hidden) text');
	});

	test('that contain one another are hidden whole, in any order', () => {
		for (const order of [
			['12345678', '12345678-and-more'],
			['12345678-and-more', '12345678'],
		]) {
			expect(hideSecrets('12345678-and-more, 12345678', order)).toBe('(hidden), (hidden)');
		}
	});

	test('with characters of regular expressions are taken literally', () => {
		expect(hideSecrets('a $&.*+?^[](){}| b', ['$&.*+?^[](){}|'])).toBe('a (hidden) b');
	});
});

describe('depth', () => {
	test.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
	])(
		'%s nested too deeply are a RangeError, not an exhausted stack (W17)',
		(_title, open, close) => {
			expect(() => cleanCopy(nested(MAXIMUM_DEPTH - 1, open, close), [])).not.toThrow();
			expect(() => cleanCopy(nested(1_000, open, close), [])).toThrow(RangeError);
			expect(() => cleanCopy(nested(1_000, open, close), [])).toThrow('nested too deeply');
		},
	);
});
