import { createSanitizer } from '../../nodes/DataCollection/sanitize.ts';
import { isWebPage, serviceMessage } from '../../nodes/DataCollection/api/response.ts';

const said = (body: unknown, secrets: string[] = []) =>
	serviceMessage(body, createSanitizer(secrets));

describe('what the service says is found', () => {
	test.each<[string, unknown, string]>([
		['a plain text', 'templateId is missing', 'templateId is missing'],
		['message', { message: 'not found', code: 'x' }, 'not found'],
		['error', { error: 'bad' }, 'bad'],
		['error.message', { error: { message: 'bad', code: 1 } }, 'bad'],
		['detail', { detail: 'bad' }, 'bad'],
		['title', { title: 'Bad Request', status: 400 }, 'Bad Request'],
		['description', { description: 'bad' }, 'bad'],
		['errors as texts', { errors: ['a', 'b'] }, 'a; b'],
		['errors as objects', { errors: [{ message: 'a' }, { detail: 'b' }] }, 'a; b'],
		['a list', [{ message: 'a' }, 'b'], 'a; b'],
		['message as a list', { message: ['a must be b', 'c'] }, 'a must be b; c'],
		['message before error', { error: 'Bad Request', message: 'a must be b' }, 'a must be b'],
		['an empty message gives way', { message: ' ', error: 'bad' }, 'bad'],
		['spaces around are dropped', { message: '  bad\n' }, 'bad'],
	])('%s', (_title, body, text) => {
		expect(said(body)).toBe(text);
	});
});

describe('nothing is quoted when nothing is said', () => {
	test.each<[string, unknown]>([
		['undefined', undefined],
		['null', null],
		['an empty text', ''],
		['a number', 1],
		['an empty object', {}],
		['an empty list', []],
		['a numeric message', { message: 1 }],
		['unknown names', { code: 'invalid', reason: 'x' }],
		['too deep', { error: { error: { error: { error: { message: 'x' } } } } }],
	])('%s', (_title, body) => {
		expect(said(body)).toBeUndefined();
	});
});

describe('a web page is never quoted', () => {
	test.each<[string, unknown]>([
		['as the body', '<!doctype html><title>Log in</title>'],
		['after spaces', '\n\t <html>'],
		['as a message', { message: '<html><body>502</body></html>' }],
		['as the only error', { errors: ['<p>x</p>'] }],
	])('%s', (_title, body) => {
		expect(said(body)).toBeUndefined();
	});

	test('nor among other texts', () => {
		expect(said({ errors: ['bad', '<html></html>'] })).toBe('bad');
	});
});

test.each([
	['<', true],
	['  <html>', true],
	['{"a":"<"}', false],
	['', false],
	[{ a: 1 }, false],
	[undefined, false],
])('isWebPage of %j', (body, expected) => {
	expect(isWebPage(body)).toBe(expected);
});

test('secrets are hidden', () => {
	const body = { message: 'Authorization: Bearer key-12345678, tokenId: token-12345678' };
	expect(said(body, ['key-12345678', 'token-12345678'])).toBe(
		'Authorization: Bearer (hidden), tokenId: (hidden)',
	);
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
