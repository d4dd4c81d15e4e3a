import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../../sandbox/shared/paths.mts';

/** What the set-up of a suite passes to its test files. */
export interface Addresses {
	/** The n8n under test, without a trailing slash. */
	n8nUrl: string;
	/** The emulated service, without a trailing slash. */
	serviceUrl: string;
	/** n8n's user folder: its log, its database, and what the tests record for each other. */
	userFolder: string;
	/** The session cookie of n8n's owner. */
	session: string;
	/** The logs of n8n's processes. */
	logs: string[];
	/** The path of the browser. */
	browser?: string;
	/** The npm registry, without a trailing slash. */
	registryUrl?: string;
	/** The packed package, as it would be published. */
	tarball?: string;
	/** Where queue mode's processes can be killed and started. */
	control?: string;
	/** The variables with which PostgreSQL's own programs find n8n's database. */
	database?: Record<string, string>;
}

/** The folder for the data of what a suite starts. */
export const folderOf = (suite: string) => stateFolder(suite);

const fileOf = (suite: string) => path.join(folderOf(suite), 'addresses.json');

/** Records what the test files of a suite need. */
export function writeAddresses(suite: string, addresses: Addresses): void {
	writeFileSync(fileOf(suite), JSON.stringify(addresses), { mode: 0o600 });
}

/** What the set-up of a suite has recorded; throws if it has not run. */
export function readAddresses(suite: string): Addresses {
	return JSON.parse(readFileSync(fileOf(suite), 'utf8')) as Addresses;
}
