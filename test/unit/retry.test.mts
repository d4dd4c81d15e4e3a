import fc from 'fast-check';
import { systemClock } from '../../nodes/DataCollection/clock.ts';
import type { Failure } from '../../nodes/DataCollection/api/retry.ts';
import {
	MAXIMUM_ATTEMPTS,
	parseRetryAfter,
	retryDelay,
} from '../../nodes/DataCollection/api/retry.ts';

type Method = 'GET' | 'POST';

const status = (code: number, retryAfter?: number): Failure => ({
	kind: 'status',
	status: code,
	retryAfter,
});
const network = (code: string): Failure => ({ kind: 'network', code });
const unexpected: Failure = { kind: 'no ID', status: 200 };

/** Errors that can come from connecting, and after the request has arrived. */
const EITHER = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];
const half = () => 0.5;

/** Which request is sent again after which failure. */
const POLICY: Array<{ name: string; failures: Failure[]; read: boolean; create: boolean }> = [
	{ name: '429', failures: [status(429), status(429, 1000)], read: true, create: true },
	{
		name: 'a connection that was never made',
		failures: [
			...['ECONNREFUSED', 'EAI_AGAIN'].map(network),
			...EITHER.map((code): Failure => ({ kind: 'network', code, syscall: 'connect' })),
		],
		read: true,
		create: true,
	},
	{
		name: 'a matter of configuration',
		failures: [
			'ENOTFOUND',
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'SSRF_BLOCKED',
		].map(network),
		read: false,
		create: false,
	},
	{
		name: 'a connection that broke off or timed out',
		failures: [
			'ECONNRESET',
			'EPIPE',
			'ECONNABORTED',
			...EITHER,
			'EPROTO',
			'ERR_SSL_BAD_RECORD_TYPE',
			'ERR_SSL_WRONG_VERSION_NUMBER',
			'ERR_BAD_RESPONSE',
			'no response',
		].map(network),
		read: true,
		create: false,
	},
	{
		name: '408, 500, 502, 503, 504',
		failures: [408, 500, 502, 503, 504].flatMap((code) => [status(code), status(code, 1000)]),
		read: true,
		create: false,
	},
	{
		name: 'a refusal or a redirect',
		failures: [300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 422]
			.concat([451, 501, 505])
			.map((code) => status(code)),
		read: false,
		create: false,
	},
	{ name: 'a 2xx without a resource', failures: [unexpected], read: false, create: false },
];

const ROWS = POLICY.flatMap(({ name, failures, read, create }) =>
	failures.flatMap((failure) =>
		(['GET', 'POST'] as const).flatMap((method) =>
			[1, 2, 3, 4].map((attempt) => {
				const isRepeated = method === 'GET' ? read : create;
				const isLast = attempt >= MAXIMUM_ATTEMPTS;
				return { name, failure, method, attempt, expected: isRepeated && !isLast };
			}),
		),
	),
);

test('a request has at most 3 attempts', () => {
	expect(MAXIMUM_ATTEMPTS).toBe(3);
});

describe('what is sent again', () => {
	test.each(ROWS)(
		'$name: a $method after attempt $attempt is tried again: $expected ($failure)',
		({ failure, method, attempt, expected }) => {
			expect(retryDelay(method, attempt, failure, half) !== undefined).toBe(expected);
		},
	);
});

describe('the pause', () => {
	test.each<[number, number]>([
		[1, 500],
		[2, 1000],
	])('after attempt %i is half of its ceiling with half a random number', (attempt, pause) => {
		expect(retryDelay('GET', attempt, status(503), half)).toBe(pause);
	});

	test('is never shorter than 100 ms and never longer than the ceiling', () => {
		const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		const attempts = fc.constantFrom(1, 2);
		fc.assert(
			fc.property(random, attempts, (number, attempt) => {
				const pause = retryDelay('GET', attempt, network('ECONNRESET'), () => number) ?? NaN;
				expect(pause).toBeGreaterThanOrEqual(100);
				expect(pause).toBeLessThanOrEqual(Math.min(8000, 500 * 2 ** attempt));
			}),
		);
	});

	test('after Retry-After is what was asked for and a little spread, never less', () => {
		const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		const asked = fc.integer({ min: 0, max: 30_000 });
		const requests = fc.constantFrom<Method>('GET', 'POST');
		fc.assert(
			fc.property(random, asked, requests, (number, retryAfter, request) => {
				const pause = retryDelay(request, 1, status(429, retryAfter), () => number) ?? NaN;
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
		const pauses = Array.from({ length: 20 }, () =>
			retryDelay('GET', 2, status(503), () => systemClock.random()),
		);
		expect(new Set(pauses).size).toBeGreaterThan(1);
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
		['', undefined],
		['soon', undefined],
		['-1', undefined],
		['1.5', undefined],
		['1e3', undefined],
		['0x10', undefined],
		['2030', 2_030_000],
		['١', undefined],
		[undefined, undefined],
		[5, undefined],
		[['1', '2'], undefined],
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
