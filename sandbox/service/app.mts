import type { FastifyInstance } from 'fastify';
import type { OwnAddresses } from '../shared/http/ownAddresses.mts';
import { buildServer } from '../shared/http/server.mts';
import { api } from './api.mts';
import { consolePage } from './console.mts';
import { control } from './control.mts';
import { environmentsWith } from './environments.mts';
import { respondWithErrors } from './errors.mts';
import { createFaults, type Faults } from './faults.mts';
import { guestPage } from './guestPage.mts';
import { createNotifier, type Notifier } from './notifier.mts';
import { openApi } from './openapi.mts';
import { createParticipation, type Participation } from './participation.mts';
import { createStore, type Store } from './store.mts';

export interface ServiceOptions extends OwnAddresses {
	deliveryTimeoutMs: number;
	recordSecrets: boolean;
	/** The keys of staging; published ones by default. */
	apiKey?: string;
	tokenId?: string;
}

declare module 'fastify' {
	interface FastifyInstance {
		store: Store;
		/** The faults to inject into API responses. */
		faults: Faults;
		notifier: Notifier;
		participation: Participation;
	}
}

/** Builds the emulated service, ready to listen; it keeps everything in memory. */
export async function buildApp(options: ServiceOptions): Promise<FastifyInstance> {
	const store = createStore();
	const notifier = createNotifier(store, options.deliveryTimeoutMs);
	const app = buildServer(options);
	app.decorate('store', store);
	app.decorate('faults', createFaults());
	app.decorate('notifier', notifier);
	app.decorate('participation', createParticipation(notifier));
	// Responses are not filtered, so that the contract tests see what the code really returns.
	app.setSerializerCompiler(() => (response) => JSON.stringify(response));
	app.addHook('onClose', () => notifier.close());

	respondWithErrors(app);
	await openApi(app);
	const environments = environmentsWith(options);
	for (const environment of environments) {
		const { prefix } = environment;
		const { recordSecrets } = options;
		await app.register(api, { prefix: `${prefix}/di`, environment, recordSecrets });
		await app.register(guestPage, { prefix: `${prefix}/request`, environment });
	}
	await app.register(control, { prefix: '/sandbox' });
	await app.register(consolePage, { environments });
	const schema = { tags: ['sandbox'], summary: 'Whether the service is up' };
	app.get('/healthz', { schema }, () => ({ status: 'ok' }));
	return app;
}
