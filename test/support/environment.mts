import { createRest } from '../../sandbox/n8n/rest.mts';
import { readAddresses } from './addresses.mts';
import { openOlderRest } from './olderRest.mts';

/** The suite to which the running test file belongs. */
export const suite = process.env.TEST_SUITE ?? '';

/** The addresses of everything that the set-up of this suite has started. */
export const addresses = readAddresses(suite);

export const { n8nUrl, serviceUrl, userFolder, session } = addresses;

/** The REST API of n8n 2.41, called as the owner; all files share a session because n8n limits logins. */
const newest = createRest(n8nUrl, session);

/** The same of the n8n under test, which is older in the suite of that name. */
export const rest = suite === 'compatibility' ? openOlderRest(newest) : newest;

/** A part that only some suites have; throws in other suites. */
export function given<Name extends keyof typeof addresses>(name: Name) {
	const value = addresses[name];
	if (value === undefined) throw new Error(`This suite has no ${name}`);
	return value;
}
