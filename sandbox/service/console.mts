import type { RouteHandlerMethod } from 'fastify';
import { sendPage } from '../shared/http/pages.mts';
import { statesOf } from './control.mts';
import { serviceCredential } from './credential.mts';
import type { Store } from './store.mts';

/** The console page `/`: the keys, and the newest collection requests with people and deliveries. */
export const consolePage =
	(store: Store): RouteHandlerMethod =>
	async (call, reply) => {
		const requests = statesOf(store, call).slice(0, 100);
		const values = { ...serviceCredential, requests, origin: `http://${call.host}` };
		return await sendPage(reply, 200, 'service/pages/console', values);
	};
