import { credentialType } from '../../sandbox/n8n/examples.mts';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { finished, nodeName, runNode } from '../support/executions.mts';
import { openService } from '../support/service/service.mts';
import { chain, manualName, manualNode, node, withCredential } from '../support/workflows.mts';

// n8n adds the setting "Allowed HTTP Request Domains" to the credential. See docs/credential.md.

const service = await openService();
const elsewhere = await openService();
for (const server of [service, elsewhere]) {
	server.respond = ({ url }) => ({ status: /\/0+$/.test(url) ? 404 : 200, body: { _id: 'r1' } });
}

test.each([
	['All', 'all', '', ['Bearer sandbox-api-key'], 'OK'],
	['None', 'none', '', [], 'OK'],
	['another domain', 'domains', 'api.example.com', [], 'Error'],
])(
	'%s: the nodes work, and HTTP Request sends the key only if it may',
	async (_name, allowedHttpRequestDomains, allowedDomains, sentKeys, tested) => {
		const setting = { allowedHttpRequestDomains, allowedDomains };
		const fields = { productionBaseUrl: service.url, ...setting };
		const credential = await createCredential('E2E domains', fields);
		const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'r1' };
		const execution = await runNode({ name: 'E2E domains', credential, parameters });
		expect(outputOf(execution, nodeName)[0]?.requestId).toBe('r1');
		expect((await rest.testCredential(credential)).status).toBe(tested);

		elsewhere.calls.length = 0;
		// n8n's own node, with the credential as its predefined credential type.
		const request = node('HTTP', 'n8n-nodes-base.httpRequest', 4.2, {
			url: elsewhere.url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			options: {},
		});
		const nodes = [manualNode(), withCredential(request, credential)];
		const { id } = await rest.createWorkflow(chain('E2E domains', nodes));
		const failure = failureOf(await finished(await rest.runManually(id, manualName)));
		expect(elsewhere.calls.map(({ headers }) => headers.authorization)).toEqual(sentKeys);
		expect(failure === undefined).toBe(sentKeys.length > 0);
	},
);

test('expressions in the credential count for the first item: no key goes to the address of another', async () => {
	service.calls.length = 0;
	const credential = await createCredential('E2E expressions', {
		productionBaseUrl: `=${service.url}/{{ $json.index }}`,
		apiKey: '={{ "key-of-" + $json.index }}',
		tokenId: '={{ "token-of-" + $json.index }}',
	});
	const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'r1' };
	const items = [{ index: 1 }, { index: 2 }];
	await runNode({ name: 'E2E expressions', credential, parameters, items });
	const first = ['/1/di/collection-request/r1', 'Bearer key-of-1', 'token-of-1'];
	const sent = service.calls.map(({ url, headers }) => [
		url,
		headers.authorization,
		headers.tokenid,
	]);
	expect(sent).toEqual([first, first]);
});
