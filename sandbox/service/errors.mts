import type { FastifyError, FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { EMAIL_PATTERN } from './emails.mts';

/** An error response; its shape and codes are the sandbox's own choice (Errors). */
export interface ErrorBody {
	code: string;
	message: string;
}

export const NOT_FOUND: ErrorBody = {
	code: 'not_found',
	message: 'There is nothing with this ID or address.',
};

/** Every error becomes an ErrorBody that repeats nothing of what was sent. */
export function registerErrors(app: FastifyInstance): void {
	app.setErrorHandler<FastifyError>(async (error, _request, reply) => {
		const status = error.statusCode ?? 500;
		return await reply.code(status).send(toBody(error, status));
	});
	app.setNotFoundHandler(async (_request, reply) => await reply.code(404).send(NOT_FOUND));
}

function toBody({ validation }: FastifyError, status: number): ErrorBody {
	if (validation) return { code: 'invalid_body', message: plainMessage(validation) };
	if (status === 413) return { code: 'body_too_large', message: 'The body is too large.' };
	if (status === 415) {
		return {
			code: 'unsupported_media_type',
			message: 'Send the body as JSON, with Content-Type: application/json.',
		};
	}
	if (status < 500) return { code: 'invalid_body', message: 'The body is not valid JSON.' };
	return { code: 'unexpected', message: 'The sandbox failed unexpectedly.' };
}

function plainMessage(errors: readonly FastifySchemaValidationError[]): string {
	return [...new Set(errors.map(plainSentence))].join(' ');
}

function plainSentence({ instancePath, keyword, params, message }: FastifySchemaValidationError) {
	const field = fieldName(instancePath);
	if (keyword === 'required')
		return `${prefix(field)}${String(params.missingProperty)} is missing.`;
	if (keyword === 'type') return `${field || 'The body'} must be ${typeName(params.type)}.`;
	if (keyword === 'pattern' && params.pattern === EMAIL_PATTERN) {
		return `${field} must be an email address.`;
	}
	if (keyword === 'pattern') return `${field} must not be empty.`;
	if (keyword === 'minimum') return `${field} must be ${String(params.limit)} or more.`;
	return `${field || 'The body'} ${message ?? 'is not accepted'}.`;
}

function prefix(field: string): string {
	return field ? `${field}: ` : '';
}

/** `/participantList/1/email` reads `participantList entry 2, email`. */
function fieldName(instancePath: string): string {
	return instancePath
		.split('/')
		.slice(1)
		.map((part) => (/^\d+$/.test(part) ? ` entry ${Number(part) + 1}` : `, ${part}`))
		.join('')
		.replace(/^, /, '');
}

function typeName(type: unknown): string {
	const names: Record<string, string> = {
		string: 'text',
		integer: 'a whole number',
		boolean: 'true or false',
		array: 'a list',
		object: 'an object',
	};
	return names[String(type)] ?? 'of another type';
}
