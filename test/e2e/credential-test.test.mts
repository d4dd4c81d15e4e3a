import type { Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { KEYS } from '../support/service/api.mts';
import { openService } from '../support/service/service.mts';

// How n8n applies the rules of the test. What they say: test/engine/messages.test.mts; which address
// and keys are sent: test/unit/credential.test.mts.

const other = await openService();
/** With `/404/<text>` as its base address, it responds with 404 and this text, and so on. */
other.respond = ({ url }) => {
	const [, status, text = ''] = url.split('/');
	const reason = `for ${KEYS.apiKey}`;
	return {
		status: Number(status),
		reason,
		headers: { location: '/target' },
		text: decodeURI(text),
	};
};
const answers = (status: number, text: string) => ({
	productionBaseUrl: `${other.url}/${status}/${encodeURI(text)}`,
});
const notThere = /^Something other than the service responded, .*: check the API Base/;

test.each<[string, Json, string | RegExp]>([
	['the right key, and 404 for the ID', {}, 'Connection successful!'],
	['404 with nothing', answers(404, ''), notThere],
	['404 with a list', answers(404, '[]'), notThere],
	[
		'200 with a web page',
		answers(200, '<!doctype html>'),
		/a web page instead of data: check the API Base URL/,
	],
	['a redirect', answers(302, '{}'), /a redirect, which is not followed/],
	// n8n sends it again after 401.
	['a wrong API key', { apiKey: 'a-wrong-api-key' }, /^The API key or the token ID was refused\./],
	[
		'a key that was copied with more than the key',
		{ apiKey: 'Authorization: Bearer "the-api-key"' },
		'API Key in the credential contains more than the key (Authorization: Bearer "…"): enter the key alone',
	],
	// n8n itself shows only the code.
	['nobody there', { productionBaseUrl: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
])('the test of a credential with %s says so', async (title, changes, message) => {
	other.calls.length = 0;
	const credential = await createCredential(`E2E test: ${title}`, changes);
	const result = await rest.testCredential(credential);
	const expected: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
	const status = message === 'Connection successful!' ? 'OK' : 'Error';
	expect(result).toMatchObject({ status, message: expected });
	// One GET, and no redirect that is followed.
	const isOther = String(changes.productionBaseUrl).startsWith(other.url);
	expect(other.calls.map(({ method }) => method)).toEqual(isOther ? ['GET'] : []);
});
