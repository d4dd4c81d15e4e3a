import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { finished, nodeName, runNode } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { chain, httpNode, manualName, manualNode } from '../support/workflows.mts';

// n8n adds the setting "Allowed HTTP Request Domains" to the credential. See docs/credential.md.

const service = await openFront();
const elsewhere = await openFront();
for (const front of [service, elsewhere]) {
	front.decide = () => ({ status: 200, body: { _id: 'r1' } });
}

const none: Json = { allowedHttpRequestDomains: 'none' };
const domains = (allowedDomains: string): Json => ({
	...{ allowedHttpRequestDomains: 'domains', allowedDomains },
});
const credentialWith = async (setting: Json) => {
	const fields = { productionBaseUrl: service.url, ...setting };
	return await createCredential('E2E domains', fields);
};

/** Sends the credential's keys with n8n's own HTTP Request node; resolves to its error, if any. */
async function request(credential: Credential, url: string): Promise<string | undefined> {
	const nodes = [manualNode(), httpNode('HTTP', credential, url)];
	const { id } = await rest.createWorkflow(chain('E2E domains', nodes));
	return failureOf(await finished(await rest.runManually(id, manualName)));
}

describe.each([
	['All', {}, true, 'OK'],
	['None', none, false, 'OK'],
	['Specific Domains with that of the API', domains('127.0.0.1'), true, 'OK'],
	['Specific Domains with another one', domains('api.example.com'), false, 'Error'],
])('with %s', (_name, setting, isSent, tested) => {
	test(`the nodes work, and the result of the credential's test is ${tested}`, async () => {
		const credential = await credentialWith(setting);
		const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'r1' };
		const execution = await runNode({ name: 'E2E domains', credential, parameters });
		expect(outputOf(execution, nodeName)[0]?.requestId).toBe('r1');
		expect((await rest.testCredential(credential)).status).toBe(tested);
	});

	test(`the HTTP Request node ${isSent ? 'sends' : 'does not send'} the key`, async () => {
		elsewhere.seen = [];
		const error = await request(await credentialWith(setting), elsewhere.url);
		const keys = elsewhere.seen.map(({ headers }) => headers.authorization);
		expect(keys).toStrictEqual(isSent ? ['Bearer sandbox-api-key'] : []);
		expect(error === undefined).toBe(isSent);
	});
});
