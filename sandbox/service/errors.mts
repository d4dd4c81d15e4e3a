import type { FastifyError, FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { EMAIL } from './guestInput.mts';

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
	if (validation) return { code: 'invalid_body', message: plainMessage(validation) };
	if (Object.hasOwn(statuses, code)) return { code, message };
	if (status === 413) return { code: 'body_too_large', message: 'The body is too large.' };
	if (status === 415) return { code: 'unsupported_media_type', message: SEND_JSON };
	if (status < 500) return { code: 'invalid_body', message: 'The body is not valid JSON.' };
	return { code: 'unexpected', message: 'The sandbox failed unexpectedly.' };
}

const SEND_JSON = 'Send the body as JSON, with Content-Type: application/json.';

const plainMessage = (errors: FastifySchemaValidationError[]) =>
	[...new Set(errors.map(plainSentence))].join(' ');

function plainSentence({ instancePath, keyword, params, message }: FastifySchemaValidationError) {
	const field = fieldName(instancePath);
	const what = field || 'The body';
	if (keyword === 'required')
		return `${field && `${field}: `}${String(params.missingProperty)} is missing.`;
	if (keyword === 'type')
		return `${what} must be ${typeNames[String(params.type)] ?? 'of another type'}.`;
	if (keyword === 'minimum') return `${what} must be ${String(params.limit)} or more.`;
	if (keyword !== 'pattern') return `${what} ${message ?? 'is not accepted'}.`;
	return `${what} must ${params.pattern === EMAIL.pattern ? 'be an email address' : 'not be empty'}.`;
}

const typeNames: Readonly<Record<string, string>> = {
	string: 'text',
	integer: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
};

/** `/participantList/1/email` becomes `participantList entry 2, email`. */
function fieldName(instancePath: string): string {
	const entry = (_part: string, index: string) => ` entry ${Number(index) + 1}`;
	const named = instancePath.replace(/\/(\d+)(?=\/|$)/g, entry);
	return named.replace(/^\//, '').replaceAll('/', ', ');
}
