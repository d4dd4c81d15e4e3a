import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { decodableUrl } from '../shared/http/decodableUrl.mts';
import { answerOwnAddressesOnly } from '../shared/http/ownAddresses.mts';
import { registerApi } from './api.mts';
import { registerConsole } from './console.mts';
import { registerControl } from './control.mts';
import { registerErrors } from './errors.mts';
import { registerGuestPage } from './guestPage.mts';
import { createNotifier } from './notifier.mts';
import { registerOpenApi } from './openapi.mts';
import type { ServiceOptions } from './options.mts';
import { resolveOptions } from './options.mts';
import { createParticipation } from './participation.mts';
import { createStore } from './store.mts';

/** Builds the emulated service, ready to listen; it keeps all in memory. */
export async function buildApp(given?: Partial<ServiceOptions>): Promise<FastifyInstance> {
	const options = resolveOptions(given);
	const store = createStore();
	const notifier = createNotifier(store, options.deliveryTimeoutMs);
	const participation = createParticipation(notifier);

	const app = Fastify({
		routerOptions: { ignoreTrailingSlash: true },
		forceCloseConnections: true,
		ajv: {
			customOptions: {
				coerceTypes: false,
				removeAdditional: false,
				useDefaults: false,
				allErrors: true,
				allowUnionTypes: true,
			},
		},
		rewriteUrl: decodableUrl,
	});
	// Responses leave as they are, so that the contract tests see what the code really says.
	app.setSerializerCompiler(() => (response) => JSON.stringify(response));
	app.addHook('onClose', () => notifier.close());

	registerErrors(app);
	answerOwnAddressesOnly(app, options);
	await registerOpenApi(app);
	await app.register((api) => registerApi(api, store, options), { prefix: '/di' });
	await app.register((guest) => registerGuestPage(guest, store, participation), {
		prefix: '/request',
	});
	await app.register((control) => registerControl(control, store, participation, notifier), {
		prefix: '/sandbox',
	});
	await app.register((console) =>
		registerConsole(console, store, participation, notifier, options),
	);
	const health = { tags: ['sandbox'], summary: 'Whether the service is up' };
	app.get('/healthz', { schema: health }, () => ({ status: 'ok' }));
	return app;
}
