import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Faults } from './faults.mts';
import { isTooFast, takeFault } from './faults.mts';

const LOGIN_PAGE = '<!doctype html>\n<title>Log in</title>\n<p>Please log in.</p>\n';

/**
 * Lets the responses of the API go wrong as asked for. Comes after the authentication: a call with a
 * wrong key is refused as always and uses up no fault.
 */
export function respondWithFaults(app: FastifyInstance, faults: Faults): void {
	const chosen = new WeakMap<object, Fault>();

	app.addHook('onRequest', async (request, reply) => {
		if (faults.apiDelayMs > 0) await sleep(faults.apiDelayMs);
		if (isTooFast(faults, Date.now())) return await refuse(reply, 429, 1);
		const fault = takeFault(faults, request.method);
		if (fault === undefined) return;
		chosen.set(request.raw, fault);
		return await respondInstead(request, reply, fault);
	});

	app.addHook('onSend', async ({ raw }, reply, payload) => {
		const fault = chosen.get(raw);
		return fault && typeof payload === 'string'
			? await damage(fault, raw, reply, payload)
			: payload;
	});
}

/** Responds at once when the fault keeps the request from being handled at all. */
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

/** Spoils the response to a request that has been handled. */
async function damage(
	{ kind, delayMs }: Fault,
	{ socket }: FastifyRequest['raw'],
	reply: FastifyReply,
	payload: string,
) {
	const bytes = Buffer.from(payload);
	const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
	if (kind === 'slow') await sleep(delayMs);
	if (kind === 'truncated') return half.toString();
	if (kind === 'resetAfterwards') socket.resetAndDestroy();
	if (kind !== 'cut' && kind !== 'drip') return payload;
	void reply.header('content-length', bytes.length);
	return Readable.from(kind === 'cut' ? cutOff(half) : dripping(bytes, delayMs));
}

async function* cutOff(half: Buffer): AsyncGenerator<Buffer> {
	yield half;
	// The first half leaves before the connection breaks.
	await sleep(20);
	throw new Error('Cut off, as asked for');
}

async function* dripping(bytes: Buffer, delayMs: number): AsyncGenerator<Buffer> {
	for (let index = 0; index < bytes.length; index += 1) {
		yield bytes.subarray(index, index + 1);
		await sleep(delayMs);
	}
}
