import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { decodableUrl } from '../shared/http/decodableUrl.mts';
import { respondAtOwnAddressesOnly } from '../shared/http/ownAddresses.mts';
import { registerApi } from './api.mts';
import { registerConsole } from './console.mts';
import { registerControl } from './control.mts';
import { registerErrors } from './errors.mts';
import { registerGuestPage } from './guestPage.mts';
import { createNotifier } from './notifier.mts';
import { registerOpenApi } from './openapi.mts';
import type { ServiceOptions } from './options.mts';
import { environments, resolveOptions } from './options.mts';
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
	respondAtOwnAddressesOnly(app, options);
	await registerOpenApi(app);
	for (const environment of environments) {
		const { prefix } = environment;
		await app.register((api) => registerApi(api, store, environment, options.recordSecrets), {
			prefix: `${prefix}/di`,
		});
		await app.register((guest) => registerGuestPage(guest, store, environment, participation), {
			prefix: `${prefix}/request`,
		});
	}
	await app.register((control) => registerControl(control, store, participation, notifier), {
		prefix: '/sandbox',
	});
	await app.register((console) => registerConsole(console, store, participation, notifier));
	const health = { tags: ['sandbox'], summary: 'Whether the service is up' };
	app.get('/healthz', { schema: health }, () => ({ status: 'ok' }));
	return app;
}
