import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { isObject } from '../basics/values';
import { sendPlain } from './http';

/** Why nothing receives what is sent to an address. */
export type Absence = 'refused' | 'notRegistered';

/** For any method, if nothing is registered at the path. */
const NOT_REGISTERED = /^The requested webhook ".*" is not registered\.$/;

/**
 * Undefined if it is not certain, e.g. because of a proxy. Nothing can start: OPTIONS is what a
 * browser asks first. Only if n8n then names no method, a GET makes sure: n8n would log an error.
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
