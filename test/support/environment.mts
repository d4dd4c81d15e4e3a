import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { QueueMode } from '../../sandbox/queueMode/queueMode.mts';

/**
 * What the test files of a suite share. `test/<suite>/setup.mts` starts it before the first file, with
 * `n8n.mts`: e2e's also for deliveries, browser, settings and install, as jest.config.js says.
 */
export interface Shared {
	/** The n8n under test, without a trailing slash. */
	n8nUrl: string;
	/** The emulated service, without a trailing slash. */
	serviceUrl: string;
	/** n8n's user folder. */
	userFolder: string;
	/** n8n's REST API, called as its owner: all files share a session because n8n limits logins. */
	rest: N8nRest;
	/** The logs of n8n's processes. */
	logs: string[];
	/** The processes of queue mode, if n8n runs in it. */
	queue?: QueueMode;
	/** Stops what is not a server of the sandbox. */
	stop?: () => Promise<void>;
}

export let environment: Shared;
export let n8nUrl: string;
export let serviceUrl: string;
export let userFolder: string;
export let rest: N8nRest;

/** Gives the test files what the set-up has started, which is before they are loaded. */
export function share(started: Shared): void {
	environment = started;
	({ n8nUrl, serviceUrl, userFolder, rest } = started);
}

/** Whether the n8n under test is older than `major`.`minor`. */
export async function isBefore(major: number, minor: number): Promise<boolean> {
	const { versionCli } = await rest.send<{ versionCli: string }>('GET', '/rest/settings');
	const [first = NaN, second = NaN] = versionCli.split('.').map(Number);
	return first < major || (first === major && second < minor);
}
