import { shared } from './suite.mts';

/** Everything that the set-up of this suite has started. */
export const environment = await shared();

export const { n8nUrl, serviceUrl, userFolder, session, rest } = environment;

/** A part that only some suites have; throws in other suites. */
export function given<Name extends keyof typeof environment>(name: Name) {
	const value = environment[name];
	if (value === undefined) throw new Error(`This suite has no ${name}`);
	return value;
}
