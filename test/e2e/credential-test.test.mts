import type { Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { calls } from '../support/sandboxService.mts';

const other = await openFront();

/** `/status-500/...` returns 500, `/page-404/...` a web page, anything else a redirect to `/target`. */
other.decide = ({ url }) => {
	const status = /^\/status-(\d{3})\//.exec(url)?.[1];
	if (status !== undefined) return { status: Number(status), body: { message: 'no' } };
	const page = /^\/page-(\d{3})\//.exec(url)?.[1];
	if (page === undefined) return { status: 302, body: {}, headers: { location: '/target' } };
	const headers = { 'content-type': 'text/html' };
	return { status: Number(page), body: {}, headers, text: '<!doctype html><title>Log in</title>' };
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

const good: Array<[title: string, changes: Json]> = [
	['the right key', {}],
	...[400, 404, 410, 422].map((status): [string, Json] => [
		`a service that refuses the ID with ${status}`,
		at(`${other.url}/status-${status}`),
	]),
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
	['a web page', at(`${other.url}/page-200`), /a web page instead of data/, ['/page-200']],
	['a web page with 404', at(`${other.url}/page-404`), /a web page instead/, ['/page-404']],
	['status 405', at(`${other.url}/status-405`), /did not understand/, ['/status-405']],
	['status 500', at(`${other.url}/status-500`), /went wrong inside the service/, ['/status-500']],
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

test('n8n itself does not save a credential without an API Base URL', async () => {
	await expect(testWith('empty', at(''))).rejects.toThrow(/"productionBaseUrl" is mandatory/);
});

test('nothing but GET was ever sent', () => {
	methods.push(...other.seen.map(({ method }) => method));
	expect([...new Set(methods)]).toStrictEqual(['GET']);
});
