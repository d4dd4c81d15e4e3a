import assert from 'node:assert/strict';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { CredentialTest, Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { listen, type Listener } from '../support/listener.mts';
import { calls } from '../support/sandboxService.mts';

const refused = /^The API key or the token ID was refused\./;
const notAllowed = /^The API Base URL must be an https:\/\/ address/;

/** `/status-500/...` answers 500, `/page/...` a web page, anything else a redirect to `/target`. */
function createOther(): Promise<Listener> {
	return listen(({ url = '' }, response) => {
		const status = /^\/status-(\d{3})\//.exec(url)?.[1];
		if (status !== undefined) {
			response.writeHead(Number(status), { 'content-type': 'application/json' });
			response.end('{"message":"no"}');
		} else if (url.startsWith('/page/')) {
			response.writeHead(200, { 'content-type': 'text/html' });
			response.end('<!doctype html><title>Log in</title>');
		} else {
			response.writeHead(302, { location: '/target' });
			response.end();
		}
	});
}

describe("the credential's test, as n8n shows it", () => {
	let rest: N8nRest;
	let other: Listener;
	let callsBefore: number;
	beforeAll(async () => {
		rest = openRest();
		callsBefore = (await calls()).length;
		other = await createOther();
	});
	afterAll(() => other.close());

	const testWith = async (name: string, changes: Json): Promise<CredentialTest> => {
		const credential = await createCredential(rest, `E2E test: ${name}`, changes);
		const { status, message } = await rest.testCredential(credential);
		return { status, message };
	};

	const good: Array<[title: string, changes: () => Json]> = [
		['the right key', () => ({})],
		['a trailing slash', () => ({ productionBaseUrl: `${serviceUrl}/` })],
		['a path prefix that answers 404', () => ({ productionBaseUrl: `${other.url}/status-404` })],
		[
			'staging',
			() => ({ environment: 'staging', stagingBaseUrl: serviceUrl, stagingCollectUrl: serviceUrl }),
		],
	];
	for (const [title, changes] of good) {
		test(`${title}: passes`, async () => {
			const expected = { status: 'OK', message: 'Connection successful!' };
			assert.deepEqual(await testWith(title, changes()), expected);
		});
	}

	const bad: Array<[title: string, changes: () => Json, message: RegExp]> = [
		['a wrong API key', () => ({ apiKey: 'a-wrong-api-key' }), refused],
		['a wrong token ID', () => ({ tokenId: 'a-wrong-token-id' }), refused],
		[
			'a web page',
			() => ({ productionBaseUrl: `${other.url}/page` }),
			/a web page instead of data/,
		],
		['status 403', () => ({ productionBaseUrl: `${other.url}/status-403` }), refused],
		['status 429', () => ({ productionBaseUrl: `${other.url}/status-429` }), /fewer requests/],
		['status 500', () => ({ productionBaseUrl: `${other.url}/status-500` }), /not able to respond/],
		// n8n itself shows nothing but the code.
		['nobody there', () => ({ productionBaseUrl: 'http://127.0.0.1:1' }), /^ECONNREFUSED$/],
	];
	for (const [title, changes, message] of bad) {
		test(`${title}: fails, with a message`, async () => {
			const result = await testWith(title, changes());
			assert.equal(result.status, 'Error');
			assert.match(result.message, message);
		});
	}

	test('a redirect: fails, and is not followed', async () => {
		const result = await testWith('redirect', { productionBaseUrl: `${other.url}/moved` });
		assert.equal(result.status, 'Error');
		assert.match(result.message, /a redirect, which is not followed/);
		assert.equal(other.seen.includes('GET /target'), false);
	});

	const unusable: Array<[title: string, address: () => string]> = [
		['http to another machine', () => 'http://192.0.2.1'],
		['a user name and a password', () => other.url.replace('//', '//user:password@')],
		['a query', () => `${other.url}/?next=1`],
		['a fragment', () => `${other.url}/#top`],
		['no address at all', () => 'api.example.com'],
	];
	for (const [title, address] of unusable) {
		test(`an API Base URL with ${title}: fails, and the key travels nowhere`, async () => {
			const before = other.seen.length;
			const result = await testWith(title, { productionBaseUrl: address() });
			assert.equal(result.status, 'Error');
			assert.match(result.message, notAllowed);
			assert.deepEqual(other.seen.slice(before), []);
		});
	}

	test('n8n itself does not save a credential without an API Base URL', async () => {
		await assert.rejects(
			testWith('empty', { productionBaseUrl: '' }),
			/"productionBaseUrl" is mandatory/,
		);
	});

	test('nothing but GET was ever sent', async () => {
		const made = (await calls()).slice(callsBefore);
		assert.notEqual(made.length, 0);
		assert.deepEqual(
			made.filter(({ method }) => method !== 'GET'),
			[],
		);
		assert.deepEqual(
			other.seen.filter((line) => !line.startsWith('GET ')),
			[],
		);
		assert.notEqual(other.seen.length, 0);
	});
});
