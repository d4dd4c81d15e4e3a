import fc from 'fast-check';
import { systemClock } from '../../nodes/DataCollection/clock.ts';
import type { Failure } from '../../nodes/DataCollection/api/retry.ts';
import { parseRetryAfter, retryDelay } from '../../nodes/DataCollection/api/retry.ts';

const status = (code: number, retryAfter?: number): Failure => ({
	kind: 'status',
	status: code,
	retryAfter,
});
const network = (code: string, syscall?: string): Failure => ({ kind: 'network', code, syscall });

/** Errors that can come from connecting, and after the request has arrived. */
const EITHER = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

interface Policy {
	name: string;
	failures: Failure[];
	/** Which requests are sent again after these failures. */
	repeated: Array<'GET' | 'POST'>;
}

const POLICY: Policy[] = [
	{ name: '429', failures: [status(429), status(429, 1000)], repeated: ['GET', 'POST'] },
	{
		name: 'a connection that was never made',
		failures: [
			...['ECONNREFUSED', 'EAI_AGAIN'].map((code) => network(code)),
			...EITHER.map((code) => network(code, 'connect')),
		],
		repeated: ['GET', 'POST'],
	},
	{
		name: 'a matter of configuration',
		failures: [
			...['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SSRF_BLOCKED'],
			...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
		].map((code) => network(code)),
		repeated: [],
	},
	{
		name: 'a connection that broke off or timed out',
		failures: [
			...['ECONNRESET', 'EPIPE', 'ECONNABORTED', ...EITHER, 'EPROTO', 'ERR_BAD_RESPONSE'],
			...['ERR_SSL_BAD_RECORD_TYPE', 'ERR_SSL_WRONG_VERSION_NUMBER', 'no response'],
		].map((code) => network(code)),
		repeated: ['GET'],
	},
	{
		name: 'a temporary status',
		failures: [408, 500, 502, 503, 504].flatMap((code) => [status(code), status(code, 1000)]),
		repeated: ['GET'],
	},
	{
		name: 'a refusal or a redirect',
		failures: [
			...[300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 422],
			...[451, 501, 505],
		].map((code) => status(code)),
		repeated: [],
	},
	{ name: 'a 2xx without a resource', failures: [{ kind: 'no ID', status: 200 }], repeated: [] },
];

const half = () => 0.5;

describe.each(POLICY)('after $name, of 3 attempts', ({ failures, repeated }) => {
	test.each(failures)('%j', (failure) => {
		for (const method of ['GET', 'POST'] as const) {
			const delays = [1, 2, 3, 4].map((attempt) => retryDelay(method, attempt, failure, half));
			const isRepeated = repeated.includes(method);
			expect(delays.map((delay) => delay !== undefined)).toEqual([
				...[isRepeated, isRepeated],
				...[false, false],
			]);
		}
	});
});

describe('the pause', () => {
	const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	test.each([
		[1, 500],
		[2, 1000],
	])('after attempt %i is half of its ceiling with half a random number', (attempt, pause) => {
		expect(retryDelay('GET', attempt, status(503), half)).toBe(pause);
	});

	test('is never shorter than 100 ms and never longer than the ceiling', () => {
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
		const methods = fc.constantFrom('GET' as const, 'POST' as const);
		fc.assert(
			fc.property(random, asked, methods, (number, retryAfter, method) => {
				const pause = retryDelay(method, 1, status(429, retryAfter), () => number) ?? NaN;
				expect(pause).toBeGreaterThanOrEqual(retryAfter);
				expect(pause).toBeLessThanOrEqual(retryAfter + 250);
			}),
		);
	});

	test.each([30_001, 60_000, Infinity])('of more than 30 s is not waited for: %d ms', (asked) => {
		expect(retryDelay('GET', 1, status(429, asked), half)).toBeUndefined();
		expect(retryDelay('POST', 1, status(429, asked), half)).toBeUndefined();
	});

	test('takes the random numbers of the machine unless told otherwise', () => {
		const pause = () => retryDelay('GET', 2, status(503), () => systemClock.random());
		expect(new Set(Array.from({ length: 20 }, pause)).size).toBeGreaterThan(1);
	});
});

describe('Retry-After', () => {
	const now = new Date('2030-01-01T00:00:00Z');
	test.each<[unknown, number | undefined]>([
		['0', 0],
		['1', 1000],
		[' 120 ', 120_000],
		['9'.repeat(400), Infinity],
		['Tue, 01 Jan 2030 00:00:10 GMT', 10_000],
		['Tue, 01 Jan 2030 00:00:00 GMT', 0],
		['Mon, 31 Dec 2029 23:59:00 GMT', 0],
		['2030', 2_030_000],
		...['', 'soon', '-1', '1.5', '1e3', '0x10', '١', undefined, 5, ['1', '2']].map(
			(header): [unknown, undefined] => [header, undefined],
		),
	])('%p is %p ms', (header, milliseconds) => {
		expect(parseRetryAfter(header, now)).toBe(milliseconds);
	});

	test('is never a negative number or NaN', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)), (text) => {
				const pause = parseRetryAfter(text, now);
				expect(pause === undefined || pause >= 0).toBe(true);
			}),
		);
	});
});
