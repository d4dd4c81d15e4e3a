import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { originOf } from './control.mts';
import { registerFaultForm } from './faultControl.mts';
import { faultLabels, targetLabels } from './faultLabels.mts';
import type { Notifier } from './notifier.mts';
import type { ServiceOptions } from './options.mts';
import { DEFAULT_API_KEY, DEFAULT_TOKEN_ID } from './options.mts';
import { ownChoices } from './ownChoices.mts';
import { sendPage } from './pages.mts';
import type { Participation } from './participation.mts';
import { toConsoleState } from './states.mts';
import type { Store } from './store.mts';
import { newestRequests } from './store.mts';
import type { StoredDelivery } from './types.mts';

interface ById {
	Params: { id: string };
}

const script = readFileSync(join(import.meta.dirname, 'pages', 'console.js'), 'utf8');
const schema = { hide: true };

/** The console page `/` and the forms on it: what happens in the sandbox, for people. */
export async function registerConsole(
	app: FastifyInstance,
	store: Store,
	participation: Participation,
	notifier: Notifier,
	options: ServiceOptions,
): Promise<void> {
	await app.register(formbody);
	registerFaultForm(app, store.faults);

	app.get('/', { schema }, async (call, reply) => {
		const origin = originOf(call);
		return await sendPage(reply, 200, 'console', {
			title: 'Data collection sandbox',
			origin,
			// Only the published defaults are shown: keys somebody chose are theirs.
			apiKey: options.apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : undefined,
			tokenId: options.tokenId === DEFAULT_TOKEN_ID ? DEFAULT_TOKEN_ID : undefined,
			requests: newestRequests(store).map((request) => toConsoleState(store, request, origin)),
			ownChoices,
			faults: store.faults,
			kinds: faultLabels,
			targets: targetLabels,
			script,
		});
	});

	app.post<ById>('/console/requests/:id/complete', { schema }, async ({ params }, reply) => {
		const request = store.requests.get(params.id);
		if (request) participation.complete(request);
		return await reply.redirect(request ? `/#request-${request.id}` : '/', 303);
	});

	app.post<ById>('/console/requests/:id/forge', { schema }, async ({ params }, reply) => {
		const request = store.requests.get(params.id);
		if (request) await notifier.forge(request);
		return await reply.redirect(request ? `/#request-${request.id}` : '/', 303);
	});

	const again = {
		redeliver: async (stored: StoredDelivery) => await notifier.redeliver(stored),
		repeat: async (stored: StoredDelivery) => await notifier.replay(stored),
	};
	for (const [verb, send] of Object.entries(again)) {
		app.post<ById>(`/console/deliveries/:id/${verb}`, { schema }, async ({ params }, reply) => {
			const stored = store.deliveries.find(({ delivery }) => delivery.id === params.id);
			if (stored) await send(stored);
			return await reply.redirect(stored ? `/#request-${stored.delivery.requestId}` : '/', 303);
		});
	}
}
