import { createSanitizer } from '../../nodes/DataCollection/sanitize.ts';
import { isWebPage, serviceMessage } from '../../nodes/DataCollection/api/response.ts';

const said = (body: unknown, secrets: string[] = []) =>
	serviceMessage(body, createSanitizer(secrets));

describe('what the service says is found', () => {
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
	])('%j: %s', (body, text) => {
		expect(said(body)).toBe(text);
	});
});

describe('nothing is quoted when nothing is said', () => {
	const silent = [undefined, null, '', 1, {}, [], { message: 1 }, { code: 'invalid', reason: 'x' }];
	const deep = { error: { error: { error: { error: { message: 'x' } } } } };
	test.each([...silent, deep].map((body) => ({ body })))('$body', ({ body }) => {
		expect(said(body)).toBeUndefined();
	});
});

test.each([
	['<!doctype html><title>Log in</title>', true],
	['\n\t <html>', true],
	['<', true],
	[{ message: '<html><body>502</body></html>' }, false],
	[{ errors: ['<p>x</p>'] }, false],
])('a web page is never quoted: %j', (body, isPage) => {
	expect(said(body)).toBeUndefined();
	expect(isWebPage(body)).toBe(isPage);
});

test.each(['{"a":"<"}', '', { a: 1 }, undefined])('%j is no web page', (body) => {
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

test('no more than five texts of a list are quoted', () => {
	expect(said(Array.from({ length: 100 }, (_, index) => `e${index}`))).toBe('e0; e1; e2; e3; e4');
});
