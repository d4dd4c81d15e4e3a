import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import { clock } from '../basics/clock';
import { type NetworkFailure, SSRF_BLOCKED } from '../basics/networkFailure';
import { err, type Result } from '../basics/result';
import { cancelSignalOf } from './executionData';

/** n8n's own timeout starts again with each byte. A request that is given up goes on in n8n. */
export async function withTimeout<T>(
	timeout: number,
	response: Promise<T>,
): Promise<Result<T, NetworkFailure>> {
	let result: Result<T, NetworkFailure> = err({ kind: 'network', code: 'ETIMEDOUT' });
	const settled = response.then(
		(value) => {
			result = { ok: true, value };
		},
		(error: unknown) => {
			result = err(networkFailure(error));
		},
	);
	// The race returns nothing: the timer would keep a result in memory until the time is over.
	await Promise.race([settled, clock.timeout(timeout)]);
	return result;
}

function networkFailure(error: unknown): NetworkFailure {
	const causes = errorChain(error);
	const first = (name: 'code' | 'syscall') =>
		causes.map((cause) => cause[name]).find((value) => typeof value === 'string');
	const isBlocked = causes.some(({ name }) => String(name).startsWith('SsrfBlocked'));
	const code = isBlocked ? SSRF_BLOCKED : (first('code') ?? 'no response');
	return { kind: 'network', code, syscall: first('syscall') };
}

/** n8n wraps the original error as `cause`. */
function errorChain(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if (typeof error !== 'object' || error === null || depth === 10) return [];
	const fields = error as Record<string, unknown>;
	// Node tried several addresses of the host. The first error represents them all.
	const cause: unknown = Array.isArray(fields.errors) ? fields.errors[0] : fields.cause;
	return [fields, ...errorChain(cause, depth + 1)];
}

interface Credential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** Redirects are off because n8n would send both authentication headers to the other host. */
const senderOf =
	(context: IExecuteFunctions | IWebhookFunctions, { type, data }: Credential) =>
	async (
		request: Pick<IHttpRequestOptions, 'method' | 'url' | 'body'>,
		timeout: number,
	): Promise<Result<IN8nHttpFullResponse, NetworkFailure>> => {
		const options: IHttpRequestOptions = { ...request, ...WHOLE_RESPONSE, json: true, timeout };
		// Without this, n8n would read and decrypt the credential for every request.
		const decrypted = { id: '', name: type, type, data };
		const { httpRequestWithAuthentication } = context.helpers;
		const response = httpRequestWithAuthentication.call(context, type, options, {
			credentialsDecrypted: decrypted,
		}) as Promise<IN8nHttpFullResponse>;
		return await withTimeout(timeout, response);
	};

export const transportOf = (
	context: IExecuteFunctions | IWebhookFunctions,
	credential: Credential,
) => ({
	send: senderOf(context, credential),
	signal: cancelSignalOf(context),
});

/** n8n sends `OPTIONS`, too, although its types leave it out. */
interface PlainRequest {
	method: 'GET' | 'OPTIONS' | 'POST';
	url: string;
	headers?: IDataObject;
	body?: string;
}

/** Sends a request without the credential. When the time is over, n8n gives it up, too. */
export async function sendPlain(
	context: IExecuteFunctions,
	request: PlainRequest,
	timeout: number,
): Promise<Result<IN8nHttpFullResponse, NetworkFailure>> {
	const over = new AbortController();
	// Unlike for requests with a credential, n8n does not add its signal here by itself.
	const signals = [over.signal, cancelSignalOf(context)].filter((signal) => signal !== undefined);
	const response = context.helpers.httpRequest({
		...(request as IHttpRequestOptions),
		...WHOLE_RESPONSE,
		timeout,
		abortSignal: AbortSignal.any(signals),
	}) as Promise<IN8nHttpFullResponse>;
	const result = await withTimeout(timeout, response);
	over.abort();
	return result;
}

const WHOLE_RESPONSE = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;
