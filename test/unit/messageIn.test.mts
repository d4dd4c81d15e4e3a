import { createRedactor } from '../../nodes/DataCollection/service/redact.ts';
import { isWebPage, messageIn } from '../../nodes/DataCollection/service/responseText.ts';

const said = (body: unknown, secrets: string[] = []) => messageIn(body, createRedactor(secrets));

test.each<[unknown, string]>([
	['templateId is missing', 'templateId is missing'],
	[{ error: { message: 'bad', code: 1 } }, 'bad'],
	[{ detail: 'bad' }, 'bad'],
	[{ title: 'Bad Request', status: 400 }, 'Bad Request'],
	[{ description: 'bad' }, 'bad'],
	[{ errors: [{ message: 'a' }, 'b'] }, 'a; b'],
	[{ error: 'Bad Request', message: ['a must be b', 'c'] }, 'a must be b; c'],
	[{ message: ' ', error: '  bad\n' }, 'bad'],
	[{ errors: ['bad', '<html></html>'] }, 'bad'],
	[Array.from({ length: 100 }, (_, index) => `e${index}`), 'e0; e1; e2; e3; e4'],
])('what the service says is found in %j: %s', (body, text) => {
	expect(said(body)).toBe(text);
});

const deep = { error: { error: { error: { error: { message: 'x' } } } } };
const pages = ['<!doctype html><title>Log in</title>', '\n\t <html>', '<'];

test.each([null, '', 1, {}, [], { message: 1 }, { code: 'invalid' }, deep, ...pages])(
	'nothing is quoted of %j',
	(body) => {
		expect(said(body)).toBeUndefined();
	},
);

test('a text that begins with markup is a web page', () => {
	const others = ['{"a":"<"}', { a: 1 }, '', undefined];
	expect([...pages, ...others].filter(isWebPage)).toEqual(pages);
});

test('a long text is cut, after secrets are hidden, so that none is cut in half', () => {
	expect(said('x'.repeat(300))).toBe('x'.repeat(300));
	expect(said('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
	const text = `${'x'.repeat(295)}key-1234567890ab`;
	expect(said(text, ['key-1234567890ab'])).toBe(`${'x'.repeat(295)}(hidd…`);
});
