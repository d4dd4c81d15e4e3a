import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import type { FailedCall } from '../../nodes/DataCollection/api/statusWords.ts';
import { explain } from '../../nodes/DataCollection/api/errors.ts';
import type { Failure } from '../../nodes/DataCollection/api/retry.ts';
import { isAmbiguous } from '../../nodes/DataCollection/api/retry.ts';

const READ: FailedCall = {
	method: 'GET',
	subject: 'collection request',
	id: '65f0',
	environment: 'production',
};
const CREATE: FailedCall = {
	method: 'POST',
	subject: 'collection request',
	environment: 'staging',
};

const status = (code: number, said?: string): Failure => ({ kind: 'status', status: code, said });
const network = (code: string, syscall?: string): Failure => ({ kind: 'network', code, syscall });
const unexpected = (kind: 'no ID' | 'web page' | 'too large'): Failure => ({ kind, status: 200 });
const SHARE_ID: Failure = { kind: 'unusable share ID' };

const STATUSES = [
	301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 451,
	500, 501, 502, 503, 504, 599,
];
const NEVER_SENT = [
	'ECONNREFUSED',
	'EAI_AGAIN',
	'ENOTFOUND',
	'SSRF_BLOCKED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'CERT_HAS_EXPIRED',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
];
/** Proof only if they come from connecting. */
const WHILE_CONNECTING = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];
const TLS = [
	'EPROTO',
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'ERR_SSL_BAD_RECORD_TYPE',
	'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
	'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
	'ERR_TLS_RENEGOTIATION_DISABLED',
];
const BROKEN_OFF = [
	'ECONNRESET',
	'EPIPE',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_BAD_RESPONSE',
	'no response',
];

const FAILURES: Array<[string, Failure]> = [
	...STATUSES.map((code): [string, Failure] => [`HTTP ${code}`, status(code)]),
	...[...NEVER_SENT, ...TLS, ...BROKEN_OFF].map((code): [string, Failure] => [code, network(code)]),
	...WHILE_CONNECTING.map((code): [string, Failure] => [
		`${code} of connect`,
		network(code, 'connect'),
	]),
	['a web page', unexpected('web page')],
	['a body that is too large', unexpected('too large')],
	['a share ID of another type', SHARE_ID],
	['a body without an ID', unexpected('no ID')],
];
const ROWS = [READ, CREATE].flatMap((call) =>
	FAILURES.map(([name, failure]) => ({ method: call.method, name, call, failure })),
);

const NODE: INode = {
	id: '1',
	name: 'Data Collection',
	type: 'n8n-nodes-data-collection.dataCollection',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

describe('every failure is worded', () => {
	test.each(ROWS)('$method, $name: a message and what to do about it', ({ call, failure }) => {
		const { message, description } = explain(call, failure);
		expect(message).toMatch(/^(?:[A-Z]|n8n).{10,}[^.\s]$/);
		expect(description).toMatch(/.{10,}/);
		expect(`${message} ${description}`).not.toMatch(/undefined|null|NaN|\[object/);
	});

	test.each(ROWS)('$method, $name: n8n shows our words and not its own', ({ call, failure }) => {
		const { message, description } = explain(call, failure);
		expect(new NodeApiError(NODE, { message }, { message, description })).toMatchObject({
			message,
			description,
		});
		expect(new NodeOperationError(NODE, message).message).toBe(message);
	});

	test.each(STATUSES)('HTTP %i stands in the message', (code) => {
		expect(explain(READ, status(code)).message).toMatch(new RegExp(`\\(HTTP ${code}\\)$`));
	});
});

describe('a create that may have happened says so', () => {
	const mayExist = ({ message }: { message: string }) => /may exist all the same$/.test(message);

	test.each([
		...[301, 302, 303, 307, 308, 408, 500, 502, 503, 504, 599].map((code): [string, Failure] => [
			`${code}`,
			status(code),
		]),
		...[...BROKEN_OFF, ...TLS].flatMap(
			(code): Array<[string, Failure]> => [
				[code, network(code)],
				[`${code} of read`, network(code, 'read')],
			],
		),
		['a web page with 200', unexpected('web page')],
		['200 and 65 MiB', unexpected('too large')],
		['a 2xx without an ID', unexpected('no ID')],
	])('%s: it may exist', (_name, failure) => {
		expect(isAmbiguous(CREATE.method, failure)).toBe(true);
		const explained = explain(CREATE, failure);
		expect(mayExist(explained)).toBe(true);
		expect(explained.description).toMatch(
			/^Check whether it was created before you run this again/,
		);
	});

	test.each([
		...[400, 401, 403, 404, 409, 410, 413, 422, 429].map((code): [string, Failure] => [
			`${code}`,
			status(code),
		]),
		...NEVER_SENT.map((code): [string, Failure] => [code, network(code)]),
		...WHILE_CONNECTING.map((code): [string, Failure] => [code, network(code, 'connect')]),
	])('%s: it was certainly not created', (_name, failure) => {
		expect(isAmbiguous(CREATE.method, failure)).toBe(false);
		expect(mayExist(explain(CREATE, failure))).toBe(false);
	});

	test.each(FAILURES)('reading leaves nothing behind: %s', (_name, failure) => {
		expect(isAmbiguous(READ.method, failure)).toBe(false);
		expect(mayExist(explain(READ, failure))).toBe(false);
	});
});

describe('the words fit the cause', () => {
	test.each<[string, FailedCall, Failure, RegExp, RegExp]>([
		['401', READ, status(401), /API key or the token ID was refused/, /Environment \(production\)/],
		[
			'403 of a create',
			CREATE,
			status(403),
			/not allowed to create the/,
			/Environment \(staging\)/,
		],
		[
			'403 of a read',
			READ,
			status(403),
			/not allowed to read the .*"65f0"/,
			/whether this account/,
		],
		[
			'404 of a read',
			READ,
			status(404),
			/does not know the collection request "65f0"/,
			/Wrong environment\?/,
		],
		['404 of a create', CREATE, status(404), /does not know this address/, /Wrong environment\?/],
		['409', CREATE, status(409), /conflicts with the current state/, /see its state/],
		['410', READ, status(410), /no longer has the collection request "65f0"/, /deleted/],
		['422', CREATE, status(422), /refused the request/, /Correct the parameters/],
		['429', READ, status(429), /fewer requests at a time/, /lower Concurrency/],
		['500', READ, status(500), /Something went wrong inside/, /Try again later\. If it stays/],
		['503', READ, status(503), /not able to respond/, /Try again later/],
		[
			'503 with a pause',
			READ,
			{ kind: 'status', status: 503, retryAfter: 44_100 },
			/not able to respond/,
			/Try again in 45 seconds or later/,
		],
		[
			'429 with an endless pause',
			READ,
			{ kind: 'status', status: 429, retryAfter: Infinity },
			/fewer requests/,
			/Try again later, and/,
		],
		['a redirect', READ, status(302), /redirect, which is not followed/, /API base URL/],
		['a web page', READ, unexpected('web page'), /web page instead of data/, /API base URL\?/],
		['no ID', READ, unexpected('no ID'), /unexpected response/, /empty, cut off/],
		[
			'a wrong host',
			READ,
			network('ENOTFOUND'),
			/host of the API base URL was not found/,
			/\(ENOTFOUND\)/,
		],
		['no server', READ, network('ECONNREFUSED'), /could not be reached/, /\(ECONNREFUSED\)/],
		['a timeout', READ, network('ECONNABORTED'), /did not respond in time/, /raise Timeout/],
		['a cut', READ, network('ECONNRESET'), /broke off/, /\(ECONNRESET\)/],
		['a certificate', READ, network('CERT_HAS_EXPIRED'), /No secure connection/, /certificate/],
		['TLS', READ, network('ERR_SSL_BAD_RECORD_TYPE'), /secure connection .* failed/, /right port/],
		['no route', READ, network('EHOSTUNREACH', 'connect'), /could not be reached/, /EHOSTUNREACH/],
	])('%s', (_name, call, failure, message, description) => {
		const explained = explain(call, failure);
		expect(explained.message).toMatch(message);
		expect(explained.description).toMatch(description);
	});

	test('what the service says comes first in the description, once', () => {
		const { message, description } = explain(READ, status(422, 'templateId is missing.'));
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
