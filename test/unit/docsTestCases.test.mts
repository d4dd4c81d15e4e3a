import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeSpans, ROOT, section, tableRows, textFile } from '../support/markdown.mts';

const PAGE = textFile('docs/test-cases.md');

/** The tests that a row names: each path, with the titles that follow it. */
function testsOf(cell: string): Array<{ file: string; titles: string[] }> {
	const tests: Array<{ file: string; titles: string[] }> = [];
	for (const code of codeSpans(cell)) {
		if (/^(test|bench)\//.test(code)) tests.push({ file: code, titles: [] });
		else tests.at(-1)?.titles.push(code);
	}
	return tests;
}

/** Whether a file contains the title as a complete string. */
function has(file: string, title: string): boolean {
	const source = textFile(file).replace(/\\(.)/g, '$1');
	return [`'`, `"`, '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

describe.each([
	['Deliveries to the trigger', 'W', 82, [10, 15, 37, 41, 66, 72, 75]],
	['Faults of the service', 'S', 41, [6, 26, 29]],
])('docs/test-cases.md, %s', (heading, letter, last, unused) => {
	const rows = tableRows(section(PAGE, heading));

	test('has each number once, in order', () => {
		const wanted = Array.from({ length: last }, (_, index) => index + 1)
			.filter((number) => !unused.includes(number))
			.map((number) => `${letter}${String(number).padStart(2, '0')}`);
		expect(rows.map(([number]) => number)).toEqual(wanted);
	});

	test.each(rows)('%s (%s) is held by tests', (number = '', what, expected, cell = '') => {
		expect([what, expected]).not.toContain('');
		const tests = testsOf(cell);
		expect(tests.length).toBeGreaterThan(0);
		for (const { file, titles } of tests) {
			expect([file, existsSync(join(ROOT, file)), titles.length > 0]).toEqual([file, true, true]);
			expect(titles.filter((title) => !has(file, title))).toEqual([]);
			// Some suites have the numbers in their titles: the title must then have this number.
			const others = titles.filter((title) => /^[WS]\d\d/.test(title) && !title.includes(number));
			expect(others).toEqual([]);
		}
	});
});
