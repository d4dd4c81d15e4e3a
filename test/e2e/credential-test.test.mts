import type { Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { calls } from '../support/sandboxService.mts';

const other = await openFront();

/** `/missing/...` knows no collection request, `/page/...` has web pages, anything else moves. */
other.decide = ({ url }) => {
	if (url.startsWith('/missing/')) return { status: 404, body: { message: 'no' } };
	if (!url.startsWith('/page/')) return { status: 302, body: {}, headers: { location: '/target' } };
	const headers = { 'content-type': 'text/html' };
	return { status: 200, body: {}, headers, text: '<!doctype html><title>Log in</title>' };
};

/** The methods of all calls that tests of credentials have made to the service. */
const methods: string[] = [];
const testWith = async (title: string, changes: Json) => {
	const credential = await createCredential(`E2E test: ${title}`, changes);
	const earlier = (await calls()).length;
	const result = await rest.testCredential(credential);
	methods.push(...(await calls()).slice(earlier).map(({ method }) => method));
	return result;
};
const at = (productionBaseUrl: string): Json => ({ productionBaseUrl });
const staging = { stagingBaseUrl: serviceUrl, stagingCollectUrl: serviceUrl };

// test/engine/messages.test.mts has what it says about each status.
const good: Array<[title: string, changes: Json]> = [
	['the right key', {}],
	['a service that does not know the ID', at(`${other.url}/missing`)],
	['staging', { environment: 'staging', ...staging }],
];
for (const [title, changes] of good) {
	test(`${title}: passes`, async () => {
		const { status, message } = await testWith(title, changes);
		expect([status, message]).toStrictEqual(['OK', 'Connection successful!']);
	});
}

const refused = /^The API key or the token ID was refused\./;
const address = (reason: string) => new RegExp(`^The API Base URL \\(production\\) ${reason}`);
/** Each with the requests that reach the other server. */
const bad: Array<[title: string, changes: Json, message: RegExp, seen?: string[]]> = [
	['a wrong API key', { apiKey: 'a-wrong-api-key' }, refused],
	['a web page', at(`${other.url}/page`), /a web page instead of data/, ['/page']],
	['a redirect', at(`${other.url}/moved`), /a redirect, which is not followed/, ['/moved']],
	// n8n itself shows only the code.
	['nobody there', at('http://127.0.0.1:1'), /^ECONNREFUSED$/],
	['http to another machine', at('http://192.0.2.1'), address('must start with https://')],
];
for (const [title, changes, message, seen = []] of bad) {
	test(`${title}: fails, with a message`, async () => {
		const before = other.seen.length;
		const result = await testWith(title, changes);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		const paths = other.seen.slice(before).map(({ url }) => url.replace(/\/di\/.*$/, ''));
		expect([...new Set(paths)]).toStrictEqual(seen);
	});
}

test('nothing but GET was ever sent', () => {
	methods.push(...other.seen.map(({ method }) => method));
	expect([...new Set(methods)]).toStrictEqual(['GET']);
});
