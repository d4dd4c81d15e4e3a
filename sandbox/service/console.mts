import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { originOf } from './control.mts';
import { registerFaultForm } from './faultControl.mts';
import { faultLabels, targetLabels } from './faults.mts';
import type { Notifier } from './notifier.mts';
import { environments } from './options.mts';
import { ownChoices } from './ownChoices.mts';
import { sendPage } from './pages.mts';
import type { Participation } from './participation.mts';
import { isFound, toConsoleState } from './states.mts';
import type { Store } from './store.mts';
import { newestRequests } from './store.mts';
import type { StoredDelivery, StoredRequest } from './types.mts';

interface ById {
	Params: { id: string };
}

interface Search {
	Querystring: { q?: string | string[] };
}

/** As many are shown at a time; a search finds the others. */
const SHOWN = 100;
const schema = { hide: true };
// Only published keys are shown: those that somebody chose are theirs.
const shown = (key: string) => (key.startsWith('sandbox-') ? key : undefined);

/** The console page `/` and the forms on it: what happens in the sandbox, for people. */
export async function registerConsole(
	app: FastifyInstance,
	store: Store,
	participation: Participation,
	notifier: Notifier,
): Promise<void> {
	await app.register(formbody);
	registerFaultForm(app, store.faults);

	app.get<Search>('/', { schema }, async (call, reply) => {
		const origin = originOf(call);
		const search = String(call.query.q ?? '').trim();
		const found = newestRequests(store).filter((request) => isFound(request, search));
		return await sendPage(reply, 200, 'service/pages/console', {
			title: 'Data collection sandbox',
			origin,
			environments: environments.map(({ apiKey, tokenId, ...environment }) => {
				return { ...environment, apiKey: shown(apiKey), tokenId: shown(tokenId) };
			}),
			search,
			total: store.requests.size,
			found: found.length,
			requests: found.slice(0, SHOWN).map((request) => toConsoleState(store, request, origin)),
			ownChoices,
			faults: store.faults,
			faultLabels,
			targetLabels,
		});
	});

	const actions = {
		complete: (request: StoredRequest) => participation.complete(request),
		forge: (request: StoredRequest) => notifier.forge(request),
	};
	for (const [verb, act] of Object.entries(actions)) {
		app.post<ById>(`/console/requests/:id/${verb}`, { schema }, async ({ params }, reply) => {
			const request = store.requests.get(params.id);
			if (request) await act(request);
			return await reply.redirect(request ? `/#request-${request.id}` : '/', 303);
		});
	}

	const again = {
		redeliver: (stored: StoredDelivery) => notifier.redeliver(stored),
		repeat: (stored: StoredDelivery) => notifier.replay(stored),
	};
	for (const [verb, send] of Object.entries(again)) {
		app.post<ById>(`/console/deliveries/:id/${verb}`, { schema }, async ({ params }, reply) => {
			const stored = store.deliveries.find(({ delivery }) => delivery.id === params.id);
			if (stored) await send(stored);
			return await reply.redirect(stored ? `/#request-${stored.delivery.requestId}` : '/', 303);
		});
	}
}
