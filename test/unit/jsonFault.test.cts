import fc from 'fast-check';
import { findJsonFault } from '../../nodes/DataCollection/shared/jsonFault';

test.each<[string, number, number, string]>([
	['', 1, 1, ''],
	['ENOENT', 1, 1, 'ENOENT'],
	['[{', 1, 3, ''],
	['[{]', 1, 3, ']'],
	['[1,]', 1, 4, ']'],
	['{"a":1,}', 1, 8, '}'],
	["[{ 'name': 1 }]", 1, 4, "'name': 1 }]"],
	['[{ name: 1 }]', 1, 4, 'name: 1 }]'],
	['[\n  { "a": 1 }\n  { "b": 2 }\n]', 3, 3, '{ "b": 2 }'],
	['[\r\n\t01\r\n]', 2, 3, '1'],
	['["a', 1, 2, '"a'],
	['["a\tb"]', 1, 2, '"a\tb"]'],
	['["\\x"]', 1, 2, '"\\x"]'],
	['[] []', 1, 4, '[]'],
	['{"a" 1}', 1, 6, '1}'],
	['\uFEFF[]', 1, 1, '\uFEFF[]'],
	['[tru]', 1, 2, 'tru]'],
	[`[${'x'.repeat(50)}`, 1, 2, 'x'.repeat(20)],
])('%j stops at line %i, column %i', (text, line, column, found) => {
	expect(findJsonFault(text)).toEqual({ line, column, found });
});

test('valid JSON of any kind is read to its end', () => {
	fc.assert(
		fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
			const spaced = JSON.stringify(JSON.parse(text), undefined, indent);
			expect(findJsonFault(spaced).found).toBe('');
			expect(findJsonFault(`${spaced}\n\f`)).toMatchObject({ column: 1, found: '\f' });
		}),
	);
});

test('whatever `JSON.parse` refuses has a place: before it all could go on, from it nothing can', () => {
	const damaged = fc
		.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', '1', 'x', '\\'))
		.map(([text, at, sign]) => {
			const index = at % (text.length + 1);
			return text.slice(0, index) + sign + text.slice(index + 1);
		});
	fc.assert(
		fc.property(damaged, (text) => {
			let isValid = true;
			try {
				JSON.parse(text);
			} catch {
				isValid = false;
			}
			fc.pre(!isValid);
			const { line, column, found } = findJsonFault(text);
			const rest = text.split('\n')[line - 1]?.slice(column - 1) ?? '';
			expect(rest.startsWith(found)).toBe(true);
			expect(column).toBeGreaterThan(0);
		}),
	);
});
