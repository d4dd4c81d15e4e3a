import type { FastifyError, FastifyInstance } from 'fastify';

/** Why a call is refused, with the status of the response (Errors). */
const statuses = {
	invalid_body: 400,
	unauthorized: 401,
	not_found: 404,
	/** The collection request takes nothing more. */
	completed: 409,
	/** All its places are taken. */
	full: 409,
	/** There is no address to send a notification to. */
	no_webhook: 409,
} as const;
export type Refusal = keyof typeof statuses;

/** Ends a call. */
export function refuse(code: Refusal, message: string): never {
	throw Object.assign(new Error(message), { statusCode: statuses[code], code });
}

/** Ends a call with 404. */
export const missing = () => refuse('not_found', 'There is nothing with this ID or address.');

/** Turns every error into a body that repeats nothing from the request. */
export function respondWithErrors(app: FastifyInstance): void {
	app.setErrorHandler<FastifyError>(async (error, _request, reply) => {
		const status = error.statusCode ?? 500;
		return await reply.code(status).send(toBody(error, status));
	});
	app.setNotFoundHandler(missing);
}

function toBody({ validation, code = '', message }: FastifyError, status: number) {
	// What a schema says names the fields and what they must be, but not what was sent.
	if (validation) return { code: 'invalid_body', message };
	if (Object.hasOwn(statuses, code)) return { code, message };
	if (status === 413) return { code: 'body_too_large', message: 'The body is too large.' };
	if (status === 415) return { code: 'unsupported_media_type', message: SEND_JSON };
	if (status < 500) return { code: 'invalid_body', message: 'The body is not valid JSON.' };
	return { code: 'unexpected', message: 'The sandbox failed unexpectedly.' };
}

const SEND_JSON = 'Send the body as JSON, with Content-Type: application/json.';
