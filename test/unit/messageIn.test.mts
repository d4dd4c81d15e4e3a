import { createSanitizer } from '../../nodes/DataCollection/sanitize.ts';
import { isWebPage, messageIn } from '../../nodes/DataCollection/exchange.ts';

const said = (body: unknown, secrets: string[] = []) => messageIn(body, createSanitizer(secrets));

test.each<[unknown, string]>([
	['templateId is missing', 'templateId is missing'],
	[{ message: 'not found', code: 'x' }, 'not found'],
	[{ error: 'bad' }, 'bad'],
	[{ error: { message: 'bad', code: 1 } }, 'bad'],
	[{ detail: 'bad' }, 'bad'],
	[{ title: 'Bad Request', status: 400 }, 'Bad Request'],
	[{ description: 'bad' }, 'bad'],
	[{ errors: ['a', 'b'] }, 'a; b'],
	[{ errors: [{ message: 'a' }, { detail: 'b' }] }, 'a; b'],
	[[{ message: 'a' }, 'b'], 'a; b'],
	[{ message: ['a must be b', 'c'] }, 'a must be b; c'],
	[{ error: 'Bad Request', message: 'a must be b' }, 'a must be b'],
	[{ message: ' ', error: 'bad' }, 'bad'],
	[{ message: '  bad\n' }, 'bad'],
	[{ errors: ['bad', '<html></html>'] }, 'bad'],
	[Array.from({ length: 100 }, (_, index) => `e${index}`), 'e0; e1; e2; e3; e4'],
])('what the service says is found in %j: %s', (body, text) => {
	expect(said(body)).toBe(text);
});

const deep = { error: { error: { error: { error: { message: 'x' } } } } };
test.each<[unknown, isPage?: boolean]>([
	...[undefined, null, '', 1, {}, [], { message: 1 }, { code: 'invalid', reason: 'x' }, deep].map(
		(body): [unknown] => [body],
	),
	['<!doctype html><title>Log in</title>', true],
	['\n\t <html>', true],
	['<', true],
	[{ message: '<html><body>502</body></html>' }],
	[{ errors: ['<p>x</p>'] }],
])('nothing is quoted of %j', (body, isPage = false) => {
	expect(said(body)).toBeUndefined();
	expect(isWebPage(body)).toBe(isPage);
});

test.each(['{"a":"<"}', { a: 1 }])('%j is no web page', (body) => {
	expect(isWebPage(body)).toBe(false);
});

test('secrets are hidden', () => {
	const body = { message: 'Authorization: Bearer key-12345678, tokenId: token-12345678' };
	const shown = 'Authorization: Bearer (hidden), tokenId: (hidden)';
	expect(said(body, ['key-12345678', 'token-12345678'])).toBe(shown);
});

test('a long text is cut, after secrets are hidden, so that none is cut in half', () => {
	expect(said('x'.repeat(300))).toBe('x'.repeat(300));
	expect(said('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
	const text = `${'x'.repeat(295)}key-12345678`;
	expect(said(text, ['key-12345678'])).toBe(`${'x'.repeat(295)}(hidd…`);
});
