import type { FastifyInstance } from 'fastify';
import type { Store } from './store.mts';
import { rememberCall } from './store.mts';
import type { Call } from './types.mts';

const HIDDEN = '(hidden)';
const SECRET_HEADERS = ['authorization', 'tokenid'];

/**
 * Records every call in the order of arrival; key, token and webhook secret are replaced by
 * `(hidden)` unless the service was told to record secrets.
 */
export function recordCalls(app: FastifyInstance, store: Store, recordSecrets: boolean): void {
	const calls = new WeakMap<object, Call>();
	const headersOf = recordSecrets ? copy : hideHeaders;
	const bodyOf = recordSecrets ? (body: unknown) => body ?? null : hideBody;

	app.addHook('onRequest', ({ raw, originalUrl, method }, _reply, done) => {
		const headers = headersOf(raw.headers);
		const call: Call = { method, url: originalUrl, headers, body: null, status: null };
		calls.set(raw, call);
		rememberCall(store, call);
		done();
	});
	app.addHook('preValidation', ({ raw, body }, _reply, done) => {
		const call = calls.get(raw);
		if (call) call.body = bodyOf(body);
		done();
	});
	app.addHook('onSend', ({ raw }, reply, payload, done) => {
		const call = calls.get(raw);
		if (call) call.status = reply.statusCode;
		done(null, payload);
	});
}

function copy(headers: Call['headers']): Call['headers'] {
	return { ...headers };
}

function hideHeaders(headers: Call['headers']): Call['headers'] {
	const hidden = { ...headers };
	for (const name of SECRET_HEADERS) if (name in hidden) hidden[name] = HIDDEN;
	return hidden;
}

function hideBody(body: unknown): unknown {
	if (typeof body !== 'object' || body === null) return body ?? null;
	return 'webhookSecret' in body ? { ...body, webhookSecret: HIDDEN } : body;
}
