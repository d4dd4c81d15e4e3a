import type { FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type, type Static } from 'typebox';

/** What goes wrong with the API; what is left out goes right. */
export const Faults = Type.Object(
	{
		/** By how many milliseconds every response is delayed. */
		apiDelayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
		/** The status of all responses; what was asked for is not done. */
		status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
		/** How many responses get that status; all by default. */
		left: Type.Optional(Type.Integer({ minimum: 1 })),
		/** Seconds of the Retry-After beside that status; no such header by default. */
		retryAfter: Type.Optional(Type.Integer({ minimum: 0 })),
	},
	{ additionalProperties: false },
);
export type Faults = Static<typeof Faults>;

/** Responds as the store's faults say, after authentication: a wrong key uses up no fault. */
export function respondWithFaults(app: FastifyInstance): void {
	const { store } = app;
	app.addHook('onRequest', async (_call, reply) => {
		const { apiDelayMs = 0, status, left, retryAfter } = store.faults;
		if (status !== undefined && left !== undefined) {
			store.faults = left > 1 ? { ...store.faults, left: left - 1 } : { apiDelayMs };
		}
		await sleep(apiDelayMs);
		if (status === undefined) return;
		if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
		const message = `The sandbox was asked to respond with ${status}.`;
		return await reply.code(status).send({ code: 'fault', message });
	});
}
