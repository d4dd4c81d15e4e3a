import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { isObject } from '../basics/values';
import { sendPlain } from './http';

/** Why nothing receives what is sent to an address. */
export type Absence = 'refused' | 'notRegistered';

/** What n8n says about a path at which nothing is registered, whatever the method is. */
const NOT_REGISTERED = /^The requested webhook ".*" is not registered\.$/;

/**
 * Asks, for at most `time` milliseconds, whether it is certain that nothing receives what is sent to an
 * address. Undefined if it is not, e.g. because a proxy responds, or nobody in time.
 *
 * Nothing can start: the first question is what a browser asks before it sends something. n8n then
 * names the methods that are registered, besides OPTIONS. Only if that is none, a GET makes sure, for
 * which n8n would log an error otherwise.
 */
export async function absenceAt(
	context: IExecuteFunctions,
	{ href: url, origin }: URL,
	time: number,
): Promise<Absence | undefined> {
	const end = clock.now() + time;
	const headers = { origin };
	const methods = await sendPlain(context, { method: 'OPTIONS', url, headers }, time);
	if (!methods.ok) return methods.error.code === 'ECONNREFUSED' ? 'refused' : undefined;
	if (methods.value.headers['access-control-allow-methods'] !== 'OPTIONS') return undefined;
	const timeLeft = end - clock.now();
	if (timeLeft <= 0) return undefined;
	const response = await sendPlain(context, { method: 'GET', url }, timeLeft);
	if (!response.ok || response.value.statusCode !== 404) return undefined;
	const { body } = response.value;
	const isOfN8n = isObject(body) && NOT_REGISTERED.test(String(body.message));
	return isOfN8n ? 'notRegistered' : undefined;
}
