import type { IDataObject } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { err, type Result } from '../basics/result';
import { isPresent } from '../basics/values';
import type { ApiCall, ApiResponse, AttemptFailure, Session } from './callTypes';
import { removeHarmfulFields } from './redact';
import { isWebPage, messageIn } from './responseText';
import { parseRetryAfter } from './retry';

/** Sends the request once, and resolves within `timeout` milliseconds. Never throws. */
export async function attempt<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	timeout: number,
): Promise<Result<T, AttemptFailure>> {
	const { method, path, body } = call;
	const url = `${session.connection.baseUrl}${path}`;
	try {
		const sent = await session.send({ method, url, body }, timeout);
		if (!sent.ok) return sent;
		return resourceIn<T>(session, call, sent.value);
	} catch {
		// The create may have succeeded, so an error here is a failure with an unknown outcome.
		return err({ kind: 'network', code: 'no response' });
	}
}

/** A 2xx alone proves nothing: login pages and truncated bodies have it, too. */
function resourceIn<T extends { _id: string }>(
	{ connection: { redactor } }: Session,
	call: ApiCall,
	{ statusCode: status, headers, body }: ApiResponse,
): Result<T, AttemptFailure> {
	if (status < 200 || status >= 300) {
		const message = messageIn(body, redactor);
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(clock.now()));
		return err({ kind: 'status', status, message, retryAfter });
	}
	if (isWebPage(body)) return err({ kind: 'webPage', status });
	const { _id: id, collectionRequestId } = { ...(body as IDataObject) };
	if (typeof id !== 'string' || id === '') {
		return err({ kind: 'noId', status, id: typeof id === 'number' ? String(id) : undefined });
	}
	const isDifferent =
		differs(id, call.id) ||
		(call.subject === 'share' && differs(collectionRequestId, call.requestId));
	if (isDifferent) return err({ kind: 'otherResource', status });
	return { ok: true, value: removeHarmfulFields(body as T) };
}

const differs = (named: unknown, asked: string | undefined) =>
	isPresent(named) && asked !== undefined && String(named).toLowerCase() !== asked.toLowerCase();
