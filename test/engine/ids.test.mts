import type { INodeParameters } from 'n8n-workflow';
import { runError, runOk } from './support/engine.mts';
import { json, withFaultServer } from './support/faultServer.mts';

const OPERATIONS: Array<{
	title: string;
	path: string;
	idField: string;
	parameters: INodeParameters;
}> = [
	{
		title: 'Collection Request > Get',
		path: '/di/collection-request/',
		idField: 'requestId',
		parameters: { resource: 'collectionRequest', operation: 'get' },
	},
	{
		title: 'Share > Get',
		path: '/di/share/',
		idField: 'shareId',
		parameters: { resource: 'share', operation: 'get', shareBy: 'shareId' },
	},
];

describe.each(OPERATIONS)('the ID of $title', ({ path, idField, parameters }) => {
	test.each([
		['../x', '..%2Fx'],
		['../../sandbox', '..%2F..%2Fsandbox'],
		['a/b', 'a%2Fb'],
		['..\\x', '..%5Cx'],
		['?q=1', '%3Fq%3D1'],
		['#', '%23'],
		['%2e%2e', '%252e%252e'],
		['a b', 'a%20b'],
		['  a  ', 'a'],
		['a\nb', 'a%0Ab'],
		['a\r\nX-Injected: 1', 'a%0D%0AX-Injected%3A%201'],
		['...', '...'],
		['@example.com', '%40example.com'],
		['Zürich 東京', 'Z%C3%BCrich%20%E6%9D%B1%E4%BA%AC'],
		['\ud83d', '%EF%BF%BD'],
		['x'.repeat(10_000), 'x'.repeat(10_000)],
	])('%# stays one segment of the path', async (id, segment) => {
		await withFaultServer(json(200, { _id: '1' }), async ({ url, requests }) => {
			await runOk({
				parameters: { ...parameters, [idField]: '={{ $json.id }}' },
				input: [{ id }],
				credential: { productionBaseUrl: url },
			});
			expect(requests.map((request) => request.url)).toEqual([`${path}${segment}`]);
			expect(requests[0]?.headers).not.toHaveProperty('x-injected');
		});
	});

	test('a number is an ID too', async () => {
		await withFaultServer(json(200, { _id: '1' }), async ({ url, requests }) => {
			const action = { ...parameters, [idField]: '={{ 42 }}' };
			await runOk({ parameters: action, credential: { productionBaseUrl: url } });
			expect(requests[0]?.url).toBe(`${path}42`);
		});
	});

	test.each([
		['nothing', '={{ "" }}', /ID is empty$/],
		['spaces', '   ', /ID is empty$/],
		['null', '={{ null }}', /ID is empty$/],
		['a field that is missing', '={{ $json.nothing }}', /ID is empty$/],
		['an object', '={{ {} }}', /ID is empty$/],
		['.', '.', /ID "\." is not an ID$/],
		['..', '..', /ID "\.\." is not an ID$/],
		['.. with spaces', ' .. ', /ID "\.\." is not an ID$/],
	])('%s is refused with 0 requests', async (_title, id, message) => {
		await withFaultServer(json(200, { _id: '1' }), async ({ url, requests }) => {
			const error = await runError({
				parameters: { ...parameters, [idField]: id },
				credential: { productionBaseUrl: url },
			});
			expect(error).toMatchObject({ name: 'NodeOperationError', itemIndex: 0 });
			expect(error.message).toMatch(message);
			expect(requests).toEqual([]);
		});
	});
});

describe('the API base URL', () => {
	test.each([
		['as it is', '', '/di/collection-request/1'],
		['with a trailing slash', '/', '/di/collection-request/1'],
		['with many trailing slashes', '///', '/di/collection-request/1'],
		['with a path', '/api/v1', '/api/v1/di/collection-request/1'],
		['with a path and a trailing slash', '/api/v1/', '/api/v1/di/collection-request/1'],
	])('%s leads to one correct URL', async (_title, suffix, path) => {
		await withFaultServer(json(200, { _id: '1' }), async ({ url, requests }) => {
			await runOk({
				parameters: { resource: 'collectionRequest', operation: 'get', requestId: '1' },
				credential: { productionBaseUrl: `${url}${suffix}` },
			});
			expect(requests.map((request) => request.url)).toEqual([path]);
		});
	});

	test('is the one of the chosen environment', async () => {
		await withFaultServer(json(200, { _id: '1' }), async ({ url, requests }) => {
			await runOk({
				parameters: { resource: 'collectionRequest', operation: 'get', requestId: '1' },
				credential: {
					environment: 'staging',
					stagingBaseUrl: url,
					stagingCollectUrl: 'https://collect.staging.example.com',
				},
			});
			expect(requests).toHaveLength(1);
		});
	});
});

test('n8n does not reword a message that quotes an ID with the name of an error code in it', async () => {
	await withFaultServer(json(404, {}), async ({ url }) => {
		const { message } = await runError({
			parameters: { resource: 'collectionRequest', operation: 'get', requestId: 'xEPERMx' },
			credential: { productionBaseUrl: url },
		});
		expect(message).toBe('The service does not know the collection request "xEPERMx" (HTTP 404)');
	});
});
