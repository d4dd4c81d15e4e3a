import type { FastifyInstance } from 'fastify';
import type { Call } from './types.mts';

const CALLS_KEPT = 20_000;

declare module 'fastify' {
	interface FastifyRequest {
		/** The record of this call. */
		call?: Call;
	}
}

/** Records every call in order, with keys and secrets as `(hidden)` unless `recordSecrets`. */
export function recordCalls(app: FastifyInstance, recordSecrets: boolean): void {
	const { calls } = app.store;
	const hide = (given: object, ...names: string[]) => {
		const found = recordSecrets ? [] : names.filter((name) => name in given);
		return { ...given, ...Object.fromEntries(found.map((name) => [name, '(hidden)'])) };
	};
	app.decorateRequest('call');

	app.addHook('onRequest', (request, _reply, done) => {
		const { method, originalUrl: url, raw } = request;
		const headers = hide(raw.headers, 'authorization', 'tokenid');
		request.call = { method, url, headers, body: null, status: null };
		calls.push(request.call);
		if (calls.length > CALLS_KEPT) calls.shift();
		done();
	});
	app.addHook('preValidation', ({ call, body }, _reply, done) => {
		const isSecret = typeof body === 'object' && body !== null && 'webhookSecret' in body;
		if (call) call.body = isSecret ? hide(body, 'webhookSecret') : (body ?? null);
		done();
	});
	app.addHook('onSend', ({ call }, reply, payload, done) => {
		if (call) call.status = reply.statusCode;
		done(null, payload);
	});
}
