import { stopAllServers } from '../../sandbox/shared/server.mts';
import { readAddresses } from '../support/addresses.mts';
import { leaks } from '../support/leaks.mts';
import { started } from './suite.mts';

/** Stops what the set-up of the suites started, and fails if a secret has leaked. */
export default async function tearDown(): Promise<void> {
	const found: string[] = [];
	for (const [suite, stop] of started) {
		for (const leak of await leaks(suite, readAddresses(suite))) found.push(`${suite}: ${leak}`);
		await stop?.();
	}
	await stopAllServers();
	if (found.length > 0) throw new Error(`Secrets have leaked: ${found.join('; ')}`);
}
