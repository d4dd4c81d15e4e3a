import type { FastifyInstance } from 'fastify';
import type { OwnAddresses } from '../shared/http/ownAddresses.mts';
import { buildServer } from '../shared/http/server.mts';
import { api } from './api.mts';
import { consolePage } from './console.mts';
import { control } from './control.mts';
import { respondWithErrors } from './errors.mts';
import { createFaults, type Faults } from './faults.mts';
import { guestPage } from './guestPage.mts';
import { createNotifier, type Notifier } from './notifier.mts';
import { createParticipation, type Participation } from './participation.mts';
import { createStore, type Store } from './store.mts';

export interface ServiceOptions extends OwnAddresses {
	deliveryTimeoutMs: number;
	recordSecrets: boolean;
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
	const { recordSecrets, deliveryTimeoutMs } = options;
	const store = createStore();
	const notifier = createNotifier(store, deliveryTimeoutMs);
	const app = buildServer(options);
	app.decorate('store', store);
	app.decorate('faults', createFaults());
	app.decorate('notifier', notifier);
	app.decorate('participation', createParticipation(notifier));
	app.addHook('onClose', () => notifier.close());

	respondWithErrors(app);
	await app.register(api, { prefix: '/di', recordSecrets });
	await app.register(guestPage, { prefix: '/request' });
	await app.register(control, { prefix: '/sandbox' });
	await app.register(consolePage);
	app.get('/healthz', () => ({ status: 'ok' }));
	return app;
}
