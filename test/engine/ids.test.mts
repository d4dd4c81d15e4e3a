import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { runError, runOk } from './support/engine.mts';
import { json, startFaultServer } from './support/faultServer.mts';
import { READ } from './support/operations.mts';

const answer = json(200, { _id: '1' });

describe.each([
	{
		title: 'Collection Request > Get',
		path: '/di/collection-request/',
		by: (requestId: string) => ({ ...READ, requestId }),
	},
	{
		title: 'Share > Get',
		path: '/di/share/',
		by: (shareId: string) => ({ resource: 'share', operation: 'get', shareBy: 'shareId', shareId }),
	},
])('the ID of $title', ({ path, by }) => {
	test.each<[unknown, string]>([
		['../x', '..%2Fx'],
		['a/b', 'a%2Fb'],
		['?q=1', '%3Fq%3D1'],
		['%2e%2e', '%252e%252e'],
		['  a  ', 'a'],
		['a\r\nX-Injected: 1', 'a%0D%0AX-Injected%3A%201'],
		['...', '...'],
		['Zürich 東京', 'Z%C3%BCrich%20%E6%9D%B1%E4%BA%AC'],
		['\ud83d', '%EF%BF%BD'],
		['x'.repeat(10_000), 'x'.repeat(10_000)],
		[42, '42'],
	])('%# stays one segment of the path', async (id, segment) => {
		const parameters = by('={{ $json.id }}');
		const { requests } = await runOk({ parameters, input: [{ id } as never], answer });
		expect(requests).toMatchObject([{ url: `${path}${segment}` }]);
		expect(requests[0]?.headers).not.toHaveProperty('x-injected');
	});
});

const collectUrl = 'https://collect.staging.example.com';
test.each<[string, (url: string) => ICredentialDataDecryptedObject, string]>([
	['as it is', (url) => ({ productionBaseUrl: url }), ''],
	['with many trailing slashes', (url) => ({ productionBaseUrl: `${url}///` }), ''],
	['with a path and a slash', (url) => ({ productionBaseUrl: `${url}/api/v1/` }), '/api/v1'],
	[
		'of the chosen environment',
		(url) => ({ environment: 'staging', stagingBaseUrl: url, stagingCollectUrl: collectUrl }),
		'',
	],
])('the API base URL %s leads to one correct URL', async (_title, credential, path) => {
	const { url, requests } = await startFaultServer(answer);
	await runOk({ parameters: READ, credential: credential(url) });
	expect(requests).toMatchObject([{ url: `${path}/di/collection-request/1` }]);
});

test('n8n does not reword a message that quotes an ID with the name of an error code in it', async () => {
	const parameters = { ...READ, requestId: 'xEPERMx' };
	const { message } = await runError({ parameters, answer: json(404, {}) });
	expect(message).toBe('The service does not know the collection request "xEPERMx" (HTTP 404)');
});
