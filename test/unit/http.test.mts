import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { withTimeout } from '../../nodes/DataCollection/n8n/http.ts';

/** Lets timeouts come when the test says so. */
function useTimeout(timeout: Promise<void>): void {
	clock.timeout = async () => await timeout;
}

/** Lets everything run that can run now, e.g. the handling of a rejection. */
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test.each<[string, (late: PromiseWithResolvers<string>) => void]>([
	['fails', ({ reject }) => reject(new Error('too late'))],
	['succeeds', ({ resolve }) => resolve('late')],
])('what is not over in time has timed out, also when it %s later', async (_how, end) => {
	const late = Promise.withResolvers<string>();
	useTimeout(Promise.resolve());
	const result = await withTimeout(1, late.promise);
	// A rejection that nobody handles would fail the test here.
	end(late);
	await turn();
	expect(result).toEqual({ ok: false, error: { kind: 'network', code: 'ETIMEDOUT' } });
});

const NO_ROUTE = { code: 'EHOSTUNREACH', syscall: 'connect' };
const noAddress = new AggregateError([NO_ROUTE, { ...NO_ROUTE, code: 'ENETUNREACH' }]);

test.each<[string, object, object]>([
	['n8n blocks it', { name: 'SsrfBlockedIpError' }, { code: 'SSRF_BLOCKED' }],
	['no address of the host can be reached', noAddress, NO_ROUTE],
])('what went wrong is found in what n8n wraps: %s', async (_what, cause, expected) => {
	const response = Promise.reject(new Error('The request failed', { cause }));
	const never = new Promise<void>(() => {});
	useTimeout(never);
	const result = await withTimeout(1, response);
	expect(result).toEqual({ ok: false, error: { kind: 'network', ...expected } });
});

test('a response is not kept in memory until its timeout', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const timeout = Promise.withResolvers<void>();
	const respond = async () => {
		const response = Promise.resolve({ large: true });
		useTimeout(timeout.promise);
		const result = await withTimeout(30_000, response);
		return new WeakRef(result);
	};
	const response = await respond();
	expect(response.deref()).toEqual({ ok: true, value: { large: true } });
	await turn();
	collectGarbage();
	expect(response.deref()).toBeUndefined();
	timeout.resolve();
});
