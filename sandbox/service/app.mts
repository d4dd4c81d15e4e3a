import type { FastifyInstance } from 'fastify';
import { buildServer } from '../shared/http/server.mts';
import { api } from './api.mts';
import { consolePage } from './console.mts';
import { control } from './control.mts';
import { respondWithErrors } from './errors.mts';
import { guestPage } from './guestPage.mts';
import { createNotifier, type Notifier } from './notifier.mts';
import { createParticipation, type Participation } from './participation.mts';
import { createStore, type Store } from './store.mts';

declare module 'fastify' {
	interface FastifyInstance {
		store: Store;
		notifier: Notifier;
		participation: Participation;
	}
}

/** Builds the emulated service, ready to listen; it keeps everything in memory. */
export async function buildApp(): Promise<FastifyInstance> {
	const store = createStore();
	const notifier = createNotifier(store);
	const app = buildServer();
	app.decorate('store', store);
	app.decorate('notifier', notifier);
	app.decorate('participation', createParticipation(notifier));
	app.addHook('onClose', () => notifier.close());

	respondWithErrors(app);
	await app.register(api, { prefix: '/di' });
	await app.register(guestPage, { prefix: '/request' });
	await app.register(control, { prefix: '/sandbox' });
	app.get('/', consolePage);
	return app;
}
