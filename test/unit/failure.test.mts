import fc from 'fast-check';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import type { FailedCall } from '../../nodes/DataCollection/service/callFailure.ts';
import { explain } from '../../nodes/DataCollection/service/callFailure.ts';
import {
	mayHaveBeenCreated,
	parseRetryAfter,
	retryDelay,
} from '../../nodes/DataCollection/service/retry.ts';
import type { AttemptFailure } from '../../nodes/DataCollection/service/callTypes.ts';

const subject = 'collection request';
const baseUrl = 'https://api.example.com';
const READ: FailedCall = {
	method: 'GET',
	subject,
	id: '65f0',
	environment: 'production',
	baseUrl,
};
const CREATE: FailedCall = { method: 'POST', subject, environment: 'staging', baseUrl };

const status = (code: number, retryAfter?: number): AttemptFailure => ({
	kind: 'status',
	status: code,
	retryAfter,
});
const network = (code: string, syscall?: string): AttemptFailure => ({
	kind: 'network',
	code,
	syscall,
});
const statuses = (...codes: number[]) => codes.map((code) => status(code));
const networks = (codes: string, syscall?: string) =>
	codes.split(/,\s+/).map((code) => network(code, syscall));

/** From `connect`, these mean that there was no connection; an open one can fail with them too. */
const NO_ROUTE = 'EHOSTUNREACH, ENETUNREACH';
const NO_CONNECTION = networks(`${NO_ROUTE}, ETIMEDOUT`, 'connect');
const UNREACHABLE = [...networks('ECONNREFUSED, EAI_AGAIN'), ...NO_CONNECTION];
const BROKEN_OFF = `ECONNRESET, EPIPE, ERR_BAD_RESPONSE, no response, ${NO_ROUTE}`;
const LOST = [...networks(BROKEN_OFF), ...networks(NO_ROUTE, 'read')];
const TIMEOUT = [...networks('ECONNABORTED, ETIMEDOUT'), network('ETIMEDOUT', 'read')];
const TLS = networks('EPROTO, ERR_SSL_WRONG_VERSION_NUMBER, ERR_TLS_RENEGOTIATION_DISABLED');
const UNTRUSTED = `CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, SELF_SIGNED_CERT_IN_CHAIN,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE, ERR_TLS_CERT_ALTNAME_INVALID`;
const DOWN = [408, 502, 503, 504].flatMap((code) => [status(code), status(code, 1000)]);

/** What failures say, which requests are retried after them, and whether a create may exist. */
const POLICY: Array<[said: RegExp, repeated: string, mayExist: boolean, AttemptFailure[]]> = [
	[/^The service received too many/, 'GET POST', false, [status(429), status(429, 1000)]],
	[/^The service could not be reached at https:.*com$/, 'GET POST', false, UNREACHABLE],
	[/^The host of the API Base URL was not found$/, '', false, networks('ENOTFOUND')],
	[/^n8n is configured to block requests/, '', false, networks('SSRF_BLOCKED')],
	[/^A secure connection .* could not be established$/, '', false, networks(UNTRUSTED)],
	[/^The API key or the token ID was refused/, '', false, statuses(401)],
	[/^The API key is not allowed to (read|create) the collection/, '', false, statuses(403)],
	[/^The service does not know (the collection request "65f0"|this)/, '', false, statuses(404)],
	[/^The service (no longer has|refused the request \()/, '', false, statuses(410)],
	[/^The service refused the request/, '', false, statuses(400, 409, 422, 451)],
	[/^The connection to the service was lost before/, 'GET', true, LOST],
	[/^The service did not respond in time/, 'GET', true, TIMEOUT],
	[/^The secure connection to the service failed/, 'GET', true, TLS],
	[/^Something other than the service responds/, 'GET', true, networks('HPE_INVALID_CONSTANT')],
	[/^Something went wrong inside the service/, 'GET', true, [status(500), status(500, 1000)]],
	[/^The service is temporarily unavailable/, 'GET', true, DOWN],
	[/^The service is temporarily unavailable/, '', true, statuses(501, 599)],
	[/^The service responded with a redirect/, '', true, statuses(300, 302, 307)],
	[/^The service responded with a web page/, '', true, [{ kind: 'webPage', status: 200 }]],
	[/unexpected response without an ID/, '', true, [{ kind: 'noId', status: 200 }]],
	[/responded with something other than/, '', true, [{ kind: 'otherResource', status: 200 }]],
];

const NODE = { name: 'Data Collection', typeVersion: 1, parameters: {} } as INode;

/** The texts of a failure, after checking that they are complete and that n8n shows them unchanged. */
function wordsFor(call: FailedCall, failure: AttemptFailure) {
	const { message, description } = explain(call, failure);
	expect(message).toMatch(/^(?:[A-Z]|n8n).{10,}[^.\s]$/);
	expect(description).toMatch(/.{10,}/);
	expect(`${message} ${description}`).not.toMatch(/undefined|null|NaN|\[object|<|""/);
	const shown = new NodeApiError(NODE, { message }, { message, description });
	expect([shown.message, shown.description]).toEqual([message, description]);
	expect(new NodeOperationError(NODE, message).message).toBe(message);
	if (failure.kind === 'status') expect(message).toContain(`(HTTP ${failure.status})`);
	return { message, description };
}

const half = () => 0.5;

describe.each(POLICY)('%s', (said, repeated, mayExist, failures) => {
	test.each(failures)('%j', (failure) => {
		for (const call of [READ, CREATE]) {
			const { method } = call;
			const delays = [1, 2, 3, 4].map((attempt) => retryDelay(method, attempt, failure, half));
			const isRepeated = repeated.includes(method);
			const attempts = [isRepeated, isRepeated, false, false];
			expect(delays.map((delay) => delay !== undefined)).toEqual(attempts);

			const isOpen = mayExist && method === 'POST';
			expect(mayHaveBeenCreated(method, failure)).toBe(isOpen);
			const { message, description } = wordsFor(call, failure);
			expect(message).toMatch(said);
			expect(message.endsWith('The collection request may have been created anyway')).toBe(isOpen);
			expect(description.startsWith('Check whether it was created before you run this again')).toBe(
				isOpen,
			);
		}
	});
});

describe('the pause', () => {
	const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	test('is between 100 ms and its ceiling, which grows; half of that in the middle', () => {
		const pauses = [1, 2].map((attempt) => retryDelay('GET', attempt, status(503), half));
		expect(pauses).toEqual([500, 1000]);
		fc.assert(
			fc.property(random, fc.constantFrom(1, 2), (number, attempt) => {
				const pause = retryDelay('GET', attempt, network('ECONNRESET'), () => number) ?? NaN;
				expect(pause).toBeGreaterThanOrEqual(100);
				expect(pause).toBeLessThanOrEqual(Math.min(8000, 500 * 2 ** attempt));
			}),
		);
	});

	test('after Retry-After is what was asked for and a little spread, never less', () => {
		const asked = fc.integer({ min: 0, max: 30_000 });
		const refusals = fc.constantFrom<['GET' | 'POST', number]>(
			['GET', 429],
			['GET', 503],
			['POST', 429],
		);
		fc.assert(
			fc.property(random, asked, refusals, (number, retryAfter, [method, code]) => {
				const failure = status(code, retryAfter);
				const pause = retryDelay(method, 1, failure, () => number) ?? NaN;
				expect(pause).toBeGreaterThanOrEqual(retryAfter);
				expect(pause).toBeLessThanOrEqual(retryAfter + 250);
			}),
		);
	});

	test.each([30_001, 60_000, Infinity])('of more than 30 s is not waited for: %d ms', (asked) => {
		expect(retryDelay('GET', 1, status(429, asked), half)).toBeUndefined();
		expect(retryDelay('POST', 1, status(429, asked), half)).toBeUndefined();
	});
});

describe('Retry-After', () => {
	const now = new Date('2030-01-01T00:00:00Z');
	test.each<[unknown, number]>([
		['0', 0],
		[' 120 ', 120_000],
		['9'.repeat(400), Infinity],
		['Tue, 01 Jan 2030 00:00:10 GMT', 10_000],
		['Mon, 31 Dec 2029 23:59:00 GMT', 0],
	])('%p is %p ms', (header, milliseconds) => {
		expect(parseRetryAfter(header, now)).toBe(milliseconds);
	});

	test('says nothing when it is anything else', () => {
		const headers = ['', 'soon', '-1', '1.5', '1e3', '0x10', '١', undefined, 5, ['1', '2']];
		expect(headers.filter((header) => parseRetryAfter(header, now) !== undefined)).toEqual([]);
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)), (text) => {
				const pause = parseRetryAfter(text, now);
				expect(pause ?? 0).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

test.each([
	[network('ETIMEDOUT'), 'increase Timeout under Options'],
	[status(429), 'lower Concurrency under Options'],
])('%j: an option is named only where the node has it', (failure, option) => {
	expect(wordsFor({ ...READ, itemIndex: 0 }, failure).description).toContain(option);
	expect(wordsFor(READ, failure).description).not.toContain('Options');
});
