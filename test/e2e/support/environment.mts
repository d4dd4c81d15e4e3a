import { createRest, type N8nRest } from '../../../sandbox/n8n/rest.mts';
import { variables } from './variables.mts';

function given(name: string): string {
	const value = process.env[name] ?? '';
	if (value === '') throw new Error(`${name} is not set: start the tests with "npm run test:e2e".`);
	return value;
}

/** Address of the n8n under test, without a trailing slash. */
export const n8nUrl = given(variables.n8nUrl);

/** Address of the sandbox service, without a trailing slash. */
export const serviceUrl = given(variables.serviceUrl);

/** n8n's user folder: its log, its database and what the tests note down for each other. */
export const userFolder = given(variables.userFolder);

/** n8n's REST API as its owner; one session serves all files, n8n limits the log-ins. */
export const openRest = (): N8nRest => createRest(n8nUrl, given(variables.session));
