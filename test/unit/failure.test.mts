import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import type { FailedCall } from '../../nodes/DataCollection/api/statusWords.ts';
import { explain } from '../../nodes/DataCollection/api/errors.ts';
import type { Failure } from '../../nodes/DataCollection/api/retry.ts';
import { isAmbiguous } from '../../nodes/DataCollection/api/retry.ts';

const subject = 'collection request';
const READ: FailedCall = { method: 'GET', subject, id: '65f0', environment: 'production' };
const CREATE: FailedCall = { method: 'POST', subject, environment: 'staging' };

const status = (code: number, retryAfter?: number): Failure => ({
	kind: 'status',
	status: code,
	retryAfter,
});
const network = (code: string, syscall?: string): Failure => ({ kind: 'network', code, syscall });
const unexpected = (kind: 'no ID' | 'web page' | 'too large'): Failure => ({ kind, status: 200 });

/** After these a create has certainly not happened. */
const NOT_DONE: Failure[] = [
	...[400, 401, 402, 403, 404, 405, 409, 410, 413, 418, 422, 429, 451].map((code) => status(code)),
	...[
		...['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND', 'SSRF_BLOCKED', 'CERT_HAS_EXPIRED'],
		...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
		...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
	].map((code) => network(code)),
	// Proof only if they come from connecting.
	...['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].map((code) => network(code, 'connect')),
];

/** After these a create may have happened. */
const MAYBE_DONE: Failure[] = [
	...[301, 302, 303, 307, 308, 408, 500, 501, 502, 503, 504, 599].map((code) => status(code)),
	...[
		...['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
		...['ERR_BAD_RESPONSE', 'no response', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		...['ERR_SSL_BAD_RECORD_TYPE', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'],
		...['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'ERR_TLS_RENEGOTIATION_DISABLED'],
	].flatMap((code) => [network(code), network(code, 'read')]),
	...[unexpected('web page'), unexpected('too large'), unexpected('no ID')],
];

const NODE: INode = {
	id: '1',
	name: 'Data Collection',
	type: 'n8n-nodes-data-collection.dataCollection',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** The words of a failure, once it is clear that they are whole and that n8n shows them as they are. */
function wordsFor(call: FailedCall, failure: Failure) {
	const { message, description } = explain(call, failure);
	expect(message).toMatch(/^(?:[A-Z]|n8n).{10,}[^.\s]$/);
	expect(description).toMatch(/.{10,}/);
	expect(`${message} ${description}`).not.toMatch(/undefined|null|NaN|\[object/);
	const shown = new NodeApiError(NODE, { message }, { message, description });
	expect([shown.message, shown.description]).toEqual([message, description]);
	expect(new NodeOperationError(NODE, message).message).toBe(message);
	if (failure.kind === 'status') expect(message).toContain(`(HTTP ${failure.status})`);
	return { message, description };
}

const MAY_EXIST = 'The collection request may exist all the same';

describe.each([...NOT_DONE, ...MAYBE_DONE])('%j', (failure) => {
	const mayExist = MAYBE_DONE.includes(failure);

	test(`a create ${mayExist ? 'may exist, and says so' : 'was certainly not done'}`, () => {
		expect(isAmbiguous('POST', failure)).toBe(mayExist);
		const { message, description } = wordsFor(CREATE, failure);
		expect(message.endsWith(MAY_EXIST)).toBe(mayExist);
		expect(/^Check whether it was created before you run this again/.test(description)).toBe(
			mayExist,
		);
	});

	test('reading leaves nothing behind', () => {
		expect(isAmbiguous('GET', failure)).toBe(false);
		expect(wordsFor(READ, failure).message).not.toContain(MAY_EXIST);
	});
});

describe('the words fit the cause', () => {
	test.each<[message: RegExp, description: RegExp, FailedCall, Failure]>([
		[/API key or the token ID was refused/, /Environment \(production\)/, READ, status(401)],
		[/not allowed to create the/, /Environment \(staging\)/, CREATE, status(403)],
		[/not allowed to read the .*"65f0"/, /whether this account/, READ, status(403)],
		[/not know the collection request "65f0"/, /Wrong environment\?/, READ, status(404)],
		[/does not know this address/, /Wrong environment\?/, CREATE, status(404)],
		[/conflicts with the current state/, /see its state/, CREATE, status(409)],
		[/no longer has the collection request "65f0"/, /deleted/, READ, status(410)],
		[/refused the request/, /Correct the parameters/, CREATE, status(422)],
		[/fewer requests at a time/, /lower Concurrency/, READ, status(429)],
		[/fewer requests/, /Try again later, and/, READ, status(429, Infinity)],
		[/Something went wrong inside/, /Try again later\. If it stays/, READ, status(500)],
		[/not able to respond/, /Try again later/, READ, status(503)],
		[/not able to respond/, /Try again in 45 seconds or later/, READ, status(503, 44_100)],
		[/redirect, which is not followed/, /API base URL/, READ, status(302)],
		[/web page instead of data/, /API base URL\?/, READ, unexpected('web page')],
		[/unexpected response/, /empty, cut off/, READ, unexpected('no ID')],
		[/share ID is not a text/, /provider/, READ, { kind: 'unusable share ID' }],
		[/host of the API base URL was not found/, /\(ENOTFOUND\)/, READ, network('ENOTFOUND')],
		[/could not be reached/, /\(ECONNREFUSED\)/, READ, network('ECONNREFUSED')],
		[/could not be reached/, /EHOSTUNREACH/, READ, network('EHOSTUNREACH', 'connect')],
		[/did not respond in time/, /raise Timeout/, READ, network('ECONNABORTED')],
		[/broke off/, /\(ECONNRESET\)/, READ, network('ECONNRESET')],
		[/No secure connection/, /certificate/, READ, network('CERT_HAS_EXPIRED')],
		[/secure connection .* failed/, /right port/, READ, network('ERR_SSL_BAD_RECORD_TYPE')],
	])('%p, %p', (message, description, call, failure) => {
		const words = wordsFor(call, failure);
		expect(words.message).toMatch(message);
		expect(words.description).toMatch(description);
	});

	test('what the service says comes first in the description, once', () => {
		const said = 'templateId is missing.';
		const { message, description } = explain(READ, { kind: 'status', status: 422, said });
		expect(message).not.toContain('templateId');
		expect(description).toMatch(/^The service says: "templateId is missing\." Correct/);
		expect(description.split('templateId is missing')).toHaveLength(2);
	});

	test('a very long ID is cut', () => {
		const { message } = explain({ ...READ, id: 'x'.repeat(10_000) }, status(404));
		expect(message).toContain(`"${'x'.repeat(100)}…"`);
		expect(message.length).toBeLessThan(200);
	});
});
