import { buildServer, listen } from '../shared/http/server.mts';
import { api } from './api.mts';
import { consolePage } from './console.mts';
import { control } from './control.mts';
import { serviceCredential } from './credential.mts';
import { respondWithErrors } from './errors.mts';
import { guestPage } from './guestPage.mts';
import { createNotifier } from './notifier.mts';
import { createParticipation } from './participation.mts';
import { createStore } from './store.mts';

/** Starts the emulated service in this process, at any free port by default; all is in memory. */
export async function startService(port = 0) {
	const store = createStore();
	const participation = createParticipation(createNotifier(store));
	const app = buildServer();
	respondWithErrors(app);
	await app.register(api(store), { prefix: '/di' });
	await app.register(guestPage(store, participation), { prefix: '/request' });
	await app.register(control(store, participation), { prefix: '/sandbox' });
	app.get('/', consolePage(store));
	return { ...(await listen(app, port)), ...serviceCredential };
}
