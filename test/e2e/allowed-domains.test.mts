import { credentialType } from '../../sandbox/n8n/examples.mts';
import { failureOf, outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { finished, nodeName, runNode } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { chain, manualName, manualNode, node, withCredential } from '../support/workflows.mts';

// n8n adds the setting "Allowed HTTP Request Domains" to the credential. See docs/credential.md.

const service = await openFront();
const elsewhere = await openFront();
for (const front of [service, elsewhere]) {
	front.decide = ({ url }) => ({ status: /\/0+$/.test(url) ? 404 : 200, body: { _id: 'r1' } });
}

const none: Json = { allowedHttpRequestDomains: 'none' };
const domains = (allowedDomains: string): Json => ({
	allowedHttpRequestDomains: 'domains',
	allowedDomains,
});
test.each([
	['All', {}, true, 'OK'],
	['None', none, false, 'OK'],
	['Specific Domains with that of the API', domains('127.0.0.1'), true, 'OK'],
	['Specific Domains with another one', domains('api.example.com'), false, 'Error'],
])(
	'%s: the nodes work, and HTTP Request sends the key only if it may',
	async (_name, setting, isSent, tested) => {
		const fields = { productionBaseUrl: service.url, ...setting };
		const credential = await createCredential('E2E domains', fields);
		const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'r1' };
		const execution = await runNode({ name: 'E2E domains', credential, parameters });
		expect(outputOf(execution, nodeName)[0]?.requestId).toBe('r1');
		expect((await rest.testCredential(credential)).status).toBe(tested);

		elsewhere.seen.length = 0;
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
		const keys = elsewhere.seen.map(({ headers }) => headers.authorization);
		expect(keys).toStrictEqual(isSent ? ['Bearer sandbox-api-key'] : []);
		expect(failure === undefined).toBe(isSent);
	},
);
