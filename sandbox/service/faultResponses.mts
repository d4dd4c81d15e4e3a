import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.mts';

const LOGIN_PAGE = '<!doctype html>\n<title>Log in</title>\n<p>Please log in.</p>\n';

declare module 'fastify' {
	interface FastifyRequest {
		/** The fault in the response to this request. */
		fault?: Fault;
	}
}

/** Injects the chosen faults, after authentication: a wrong key uses up no fault. */
export function respondWithFaults(app: FastifyInstance): void {
	const { faults } = app;
	app.decorateRequest('fault');

	app.addHook('onRequest', async (request, reply) => {
		const { apiDelayMs } = faults.settings();
		if (apiDelayMs > 0) await sleep(apiDelayMs);
		if (faults.isTooFast(Date.now())) return await refuse(reply, 429, 1);
		request.fault = faults.take(request.method);
		if (request.fault) return await respondInstead(request, reply, request.fault);
	});

	app.addHook('onSend', async ({ fault }, reply, payload) =>
		fault && typeof payload === 'string' ? await damage(fault, reply, payload) : payload,
	);
}

/** Responds at once if the fault prevents the request from being handled at all. */
async function respondInstead({ raw }: FastifyRequest, reply: FastifyReply, fault: Fault) {
	const { kind, status, retryAfter, location } = fault;
	if (kind === 'busy') return await refuse(reply, 429, retryAfter);
	if (kind === 'status') return await refuse(reply, status, retryAfter);
	if (kind === 'html') return await reply.code(200).type('text/html').send(LOGIN_PAGE);
	if (kind === 'redirect') return await reply.redirect(location, status);
	if (kind === 'reset') {
		reply.hijack();
		raw.socket.resetAndDestroy();
	}
}

async function refuse(reply: FastifyReply, status: number, retryAfter: number | null) {
	if (retryAfter !== null) void reply.header('retry-after', String(retryAfter));
	const message = `The sandbox was asked to respond with ${status}.`;
	return await reply.code(status).send({ code: 'fault', message });
}

/** Damages the response to a request that has been handled. */
async function damage({ kind, delayMs }: Fault, reply: FastifyReply, payload: string) {
	const bytes = Buffer.from(payload);
	const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
	if (kind === 'slow') await sleep(delayMs);
	if (kind === 'truncated') return half.toString();
	if (kind === 'resetAfterwards') reply.request.raw.socket.resetAndDestroy();
	if (kind !== 'cut' && kind !== 'drip') return payload;
	void reply.header('content-length', bytes.length);
	return Readable.from(kind === 'cut' ? cutOff(half) : dripping(bytes, delayMs));
}

async function* cutOff(half: Buffer): AsyncGenerator<Buffer> {
	yield half;
	// Lets the first half leave before the connection breaks.
	await sleep(20);
	throw new Error('Cut off, as asked for');
}

async function* dripping(bytes: Buffer, delayMs: number): AsyncGenerator<Buffer> {
	for (const byte of bytes) {
		yield Buffer.of(byte);
		await sleep(delayMs);
	}
}
