import type { Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { calls } from '../support/sandboxService.mts';

const other = await openFront();

const HTML = '<!doctype html><title>Log in</title>';

/** Bodies by the beginning of the path; the number in front of it is the status. */
const BODIES: Record<string, string> = {
	page: HTML,
	laterPage: `\n\t ${HTML}`,
	plain: 'Nothing here',
	nothing: '',
	object: '{}',
	list: '[]',
	resource: '{"_id":"1"}',
};

/** For `/404/page/...` a web page with the status 404, and so on. */
other.decide = ({ url }) => {
	const [, status = '', name = ''] = url.split('/');
	const text = BODIES[name];
	return {
		status: Number(status),
		body: { message: 'no' },
		headers: { location: '/target' },
		text,
	};
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
	...[400, 404, 410, 422].map((status): [string, Json] => [
		`a service that refuses the ID with ${status}`,
		at(`${other.url}/${status}`),
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
	...Object.keys(BODIES).map((name): [string, Json, RegExp, string[]] => [
		`200 with ${name}`,
		at(`${other.url}/200/${name}`),
		/a web page instead of data\. Check the API Base URL/,
		[`/200/${name}`],
	]),
	...['page', 'laterPage', 'plain', 'nothing', 'list'].map(
		(name): [string, Json, RegExp, string[]] => [
			`404 with ${name}`,
			at(`${other.url}/404/${name}`),
			/^(The service responded with|Something other than the API).*\. Check the API Base URL/,
			[`/404/${name}`],
		],
	),
	['a redirect', at(`${other.url}/302`), /a redirect, which is not followed/, ['/302']],
	[
		'a key that was copied with more than the key',
		{ apiKey: 'Authorization: Bearer "the-api-key"', tokenId: '""' },
		/^API Key in the credential contains quotes, "Authorization:" and "Bearer": enter the key alone\. Token ID in the credential is empty: enter /,
	],
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
