import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { clock } from '../clock';
import { CREDENTIAL } from '../credential/connection';
import { exchange, isWebPage, messageIn } from '../exchange';
import { err, type Result } from '../result';
import { removeHarmfulFields } from '../sanitize';
import { isGiven } from '../values';
import { parseRetryAfter } from './retry';
import type { ApiCall, Failure, Session } from './types';

/** Sends a call's request once and gets the resource, all within `timeout` milliseconds. */
export async function attempt<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	timeout: number,
): Promise<Result<T, Failure>> {
	// An error in the response must not escape: the create may have succeeded.
	const resource = send(session, call, timeout).then((sent) => resourceIn<T>(session, call, sent));
	const result = await exchange(timeout, resource);
	return result.ok ? result.value : result;
}

/** Redirects are off because n8n would send both authentication headers to the other host. */
async function send(
	{ context, connection }: Session,
	{ method, path, body }: ApiCall,
	timeout: number,
): Promise<IN8nHttpFullResponse> {
	const options = {
		method,
		url: `${connection.baseUrl}${path}`,
		body,
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
	} as const;
	// Without this, n8n would read and decrypt the credential for every request.
	const decrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data: connection.credential };
	return (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options, {
		credentialsDecrypted: decrypted,
	})) as IN8nHttpFullResponse;
}

/** Finds the resource. A 2xx alone proves nothing: login pages and truncated bodies have one, too. */
function resourceIn<T extends { _id: string }>(
	{ connection: { sanitizer } }: Session,
	call: ApiCall,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
): Result<T, Failure> {
	if (status < 200 || status >= 300) {
		const message = messageIn(body, sanitizer);
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(clock.now()));
		return err({ kind: 'status', status, message, retryAfter });
	}
	if (isWebPage(body)) return err({ kind: 'webPage', status });
	const { _id: id, collectionRequestId } = { ...(body as IDataObject) };
	if (typeof id !== 'string' || id === '') {
		return err({ kind: 'noId', status, id: typeof id === 'number' ? String(id) : undefined });
	}
	const isOther =
		differs(id, call.id) ||
		(call.subject === 'share' && differs(collectionRequestId, call.requestId));
	if (isOther) return err({ kind: 'otherResource', status });
	return { ok: true, value: removeHarmfulFields(body as T) };
}

/** Whether the response names something, and not what was asked for. */
const differs = (named: unknown, asked: string | undefined) =>
	isGiven(named) && asked !== undefined && named !== asked;
