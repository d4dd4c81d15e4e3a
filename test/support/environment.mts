import { createRest } from '../../sandbox/n8n/rest.mts';
import { readAddresses } from './addresses.mts';

/** The suite to which the running test file belongs. */
export const suite = process.env.TEST_SUITE ?? '';

/** Where everything is that the set-up of this suite has started. */
export const addresses = readAddresses(suite);

export const { n8nUrl, serviceUrl, userFolder, session } = addresses;

/** n8n's REST API as its owner; one session serves all files, n8n limits the log-ins. */
export const rest = createRest(n8nUrl, session);

/** A part that only some suites have; throws in the others. */
export function given<Name extends keyof typeof addresses>(name: Name) {
	const value = addresses[name];
	if (value === undefined) throw new Error(`This suite has no ${name}`);
	return value;
}
