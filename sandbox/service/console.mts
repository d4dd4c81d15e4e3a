import type { RouteHandlerMethod } from 'fastify';
import { sendPage } from '../shared/http/pages.mts';
import { keys } from './api.mts';
import { topicOf } from './collectionRequests.mts';
import { originOf, toState } from './control.mts';
import { newestRequests } from './store.mts';

/** How many collection requests are shown: the newest. */
const SHOWN = 100;

/** The console page `/`: the keys, and every collection request with its people and deliveries. */
export const consolePage: RouteHandlerMethod = async function (call, reply) {
	const newest = newestRequests(this.store).slice(0, SHOWN);
	const requests = newest.map((request) => ({
		...toState(this.store, request, originOf(call)),
		heading: topicOf(request) ?? `Template ${request.body.templateId}`,
	}));
	const values = { keys, requests, origin: originOf(call) };
	return await sendPage(reply, 200, 'service/pages/console', values);
};
