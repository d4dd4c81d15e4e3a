import { section, tableRows, textFile } from '../support/markdown.mts';

/** What a text prints bold. */
const bolds = (text: string) => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, bold = '']) => bold);

const CHECK = textFile('docs/before-you-rely-on-it.md');
const entries = section(textFile('docs/service-api.md'), 'What is unknown').match(/^- .+/gm) ?? [];
const lines = tableRows(section(CHECK, 'What each line tells you')).map(([line]) => line);

test('each unknown names the line of the report that answers it, or who can', () => {
	expect(entries.length).toBeGreaterThan(20);
	const known = [...lines, 'Ask your provider', 'ask your provider'];
	for (const entry of entries) {
		const named = bolds(entry);
		expect({ entry, isNamed: named.length > 0 }).toEqual({ entry, isNamed: true });
		expect(known).toEqual(expect.arrayContaining(named));
	}
});

test('the report has no line that answers none', () => {
	const named = bolds(entries.join('\n'));
	expect(lines.filter((line = '') => !named.includes(line))).toEqual([]);
});
