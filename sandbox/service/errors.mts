import type { FastifyError, FastifyInstance } from 'fastify';

/** Ends a call with this status. */
export function refuse(statusCode: number, code: string, message: string): never {
	throw Object.assign(new Error(message), { statusCode, code });
}

/** Ends a call with 404. */
export const missing = () => refuse(404, 'not_found', 'There is nothing with this ID or address.');

/** Turns every error into a body (Errors). */
export function respondWithErrors(app: FastifyInstance): void {
	app.setErrorHandler<FastifyError>(async (error, _call, reply) => {
		const { statusCode = 500, message, validation } = error;
		// What a schema says names the fields and what they must be, but not what was sent.
		const code = validation ? 'invalid_body' : error.code;
		return await reply.code(statusCode).send({ code, message });
	});
	app.setNotFoundHandler(missing);
}
