import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { parseAddress } from '../../nodes/DataCollection/service/credentialUrls.ts';
import { containing } from '../support/matchers.mts';

// Its time limit: test/engine/credentialTest.test.mts.
clock.timeout = async () => await new Promise(() => {});

const credential = new DataCollectionApi();
const KEYS = { apiKey: 'the-key', tokenId: 'the-token', environment: 'production' };

test('both headers of the API are set, beside what the request has', async () => {
	const request = { url: 'https://api.example.com', headers: { accept: 'text/plain' } };
	expect(await credential.authenticate(KEYS, request)).toEqual({
		url: 'https://api.example.com',
		headers: { accept: 'text/plain', Authorization: 'Bearer the-key', tokenId: 'the-token' },
	});
	expect(request.headers).toEqual({ accept: 'text/plain' });
});

test('where the request has these headers, too, those of the credential are sent', async () => {
	const headers = { Authorization: 'Basic of-the-request', tokenId: 'of-the-request' };
	const sent = await credential.authenticate(KEYS, { url: 'https://api.example.com', headers });
	expect(sent.headers).toEqual({ Authorization: 'Bearer the-key', tokenId: 'the-token' });
});

test('Practice sends the public key of the practice service, and never the one of production', async () => {
	const request = { url: 'http://localhost:5678/webhook/data-collection-practice/di/share/1' };
	const { headers } = await credential.authenticate({ ...KEYS, environment: 'practice' }, request);
	expect(headers).toEqual({ Authorization: 'Bearer practice-key', tokenId: 'practice-key' });
});

test('without an environment, no key is sent', async () => {
	const request = { url: 'http://localhost:5678/webhook/data-collection-practice/di/share/1' };
	const sent = credential.authenticate({ ...KEYS, environment: undefined } as never, request);
	await expect(sent).rejects.toThrow('Environment in the credential is not one of its choices');
});

describe('the test of the credential', () => {
	const { request } = credential.test;
	const ADDRESSES = {
		productionBaseUrl: 'https://a.example/v1/',
		productionCollectUrl: 'https://c.example',
		stagingBaseUrl: 'https://b.example',
		stagingCollectUrl: 'https://c.example',
	};
	const sentFor = async (fields: ICredentialDataDecryptedObject) => {
		const stored = { ...KEYS, ...ADDRESSES, ...fields };
		return await credential.authenticate(stored, { ...request } as IHttpRequestOptions);
	};

	test.each([
		['production', 'https://a.example/v1'],
		['staging', 'https://b.example'],
	])('creates nothing: in %s it reads an ID that cannot exist', async (environment, address) => {
		expect(request.method ?? 'GET').toBe('GET');
		const url = `${address}/di/collection-request/000000000000000000000000`;
		expect(await sentFor({ environment })).toMatchObject({ url });
	});

	test('for Practice, it asks whether the workflow is there: without it, n8n itself responds with 404', async () => {
		const practiceUrl = 'http://localhost:5678/webhook/data-collection-practice';
		const sent = await sentFor({ environment: 'practice', practiceUrl });
		const expected = { url: `${practiceUrl}/di/practice/ready`, ignoreHttpStatusErrors: false };
		expect(sent).toMatchObject(expected);
	});

	test('for Practice, it says so if all of the address was replaced', async () => {
		const sent = sentFor({ environment: 'practice', practiceUrl: 'https://n8n.example.com' });
		await expect(sent).rejects.toThrow(
			'The Practice Service URL must end with /data-collection-practice: replace only http://localhost:5678 in it',
		);
	});

	test('says all that is wrong at once, also of the webhook secrets', async () => {
		const sent = sentFor({
			productionBaseUrl: 'http://a.example',
			productionCollectUrl: '',
			apiKey: '“key”',
			tokenId: 'line\nbreak',
			webhookSecret: 'x'.repeat(15),
			previousWebhookSecrets: `${'y'.repeat(16)}\nshort\n${'z'.repeat(16)} `,
		});
		const message = await sent.then(String, (error: Error) => error.message);
		const beginnings = message.split('. ').map((text) => text.split(' ').slice(0, 4).join(' '));
		expect(beginnings).toEqual([
			'The API Base URL',
			'The Collect URL (production)',
			'API Key in the',
			'Token ID in the',
			'Webhook Secret in the',
			'Line 2 of Previous',
			'Line 3 of Previous',
		]);
	});

	test('passes without a webhook secret, which not every workflow needs', async () => {
		const sent = await sentFor({ webhookSecret: '', previousWebhookSecrets: '' });
		expect(sent.url).toMatch(/^https:\/\/a\.example\/v1\/di\//);
	});

	/** Addresses that one parser may read otherwise than another. */
	const AMBIGUOUS = [
		'http://0.0.0.0\\.localhost',
		'http://0.0.0.0\\@localhost',
		'http://192.0.2.1\\127.0.0.1',
		'http://[::ffff:127.0.0.1]:4010',
		'https://api.example.com\\v1',
		' https://api.example.com/ ',
	];
	const PARTS = ['http', ':', '/', '\\', '@', '#', '?', '.', 'localhost', '127.0.0.1'];
	const address = fc.oneof(
		fc.webUrl({ withFragments: true, withQueryParameters: true }),
		fc.constantFrom(...AMBIGUOUS),
		fc.array(fc.constantFrom(...PARTS)).map((parts) => parts.join('')),
	);

	test('sends the key where the nodes would send it, and nowhere else', async () => {
		await fc.assert(
			fc.asyncProperty(address, async (productionBaseUrl) => {
				const sent = sentFor({ productionBaseUrl });
				const result = await sent.catch((error: Error) => error.message);
				const parsed = parseAddress(productionBaseUrl);
				const expected: unknown = parsed.ok
					? containing(`${parsed.value}/di/`)
					: `The API Base URL (production) ${parsed.error}`;
				expect(typeof result === 'string' ? result : result.url).toEqual(expected);
			}),
			{ numRuns: 1000 },
		);
	});
});
