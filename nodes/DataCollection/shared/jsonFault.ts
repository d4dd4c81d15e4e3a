const TEXT = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const VALUE = String.raw`true|false|null|${NUMBER}|${TEXT}|[{[]`;

/** What may come next, by the place in the text. */
const EXPECTED = {
	value: new RegExp(VALUE, 'y'),
	valueOrEnd: new RegExp(String.raw`${VALUE}|\]`, 'y'),
	key: new RegExp(TEXT, 'y'),
	keyOrEnd: new RegExp(String.raw`${TEXT}|\}`, 'y'),
	colon: /:/y,
	nextInObject: /[,}]/y,
	nextInList: /[,\]]/y,
	nothing: /(?!)/y,
};

const SPACE = /[ \t\r\n]*/y;

type Place = keyof typeof EXPECTED;

/** Where a text stops being JSON: line and column from 1, and the beginning of what stands there. */
export interface JsonFault {
	line: number;
	column: number;
	/** Up to 20 characters; empty when the text ends too early. */
	found: string;
}

/** Finds what `JSON.parse` has stumbled over; engines word it differently or leave it out. */
export function findJsonFault(text: string): JsonFault {
	const index = faultIndex(text);
	const lines = text.slice(0, index).split('\n');
	const [found = ''] = text.slice(index, index + 20).split(/\r?\n/);
	const [last = ''] = lines.slice(-1);
	return { line: lines.length, column: last.length + 1, found };
}

/** Reads token by token, up to the first that cannot stand where it does. */
function faultIndex(text: string): number {
	const open: string[] = [];
	let place: Place = 'value';
	let index = tokenAt(SPACE, text, 0).length;
	for (;;) {
		const token = tokenAt(EXPECTED[place], text, index);
		if (token === '') return index;
		index += token.length;
		index += tokenAt(SPACE, text, index).length;
		place = placeAfter(place, token, open);
	}
}

function tokenAt(pattern: RegExp, text: string, index: number): string {
	pattern.lastIndex = index;
	return pattern.exec(text)?.[0] ?? '';
}

/** The place after a token; keeps the list of what is open up to date. */
function placeAfter(place: Place, token: string, open: string[]): Place {
	if (place === 'colon') return 'value';
	if (place.startsWith('key') && token !== '}') return 'colon';
	if (token === ',') return innermost(open) === '{' ? 'key' : 'value';
	if (token === '{' || token === '[') {
		open.push(token);
		return token === '{' ? 'keyOrEnd' : 'valueOrEnd';
	}
	if (token === '}' || token === ']') open.pop();
	if (open.length === 0) return 'nothing';
	return innermost(open) === '{' ? 'nextInObject' : 'nextInList';
}

const innermost = (open: string[]) => open[open.length - 1];
