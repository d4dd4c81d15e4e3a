import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { QueueMode } from '../queue/support/queueMode.mts';

/**
 * What the test files of a suite share. `test/<suite>/setup.mts` starts it before the first file, with
 * `n8n.mts`: e2e's also for deliveries, browser and settings, as jest.config.js says.
 */
export interface Shared {
	/** The n8n under test, without a trailing slash. */
	n8nUrl: string;
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

const shared = new Map<'now', Shared>();

/** Gives the test files what the set-up has started. They read it in `environment.mts`. */
export const share = (started: Shared) => void shared.set('now', started);

/** What the set-up has started; throws before that. */
export function started(): Shared {
	const now = shared.get('now');
	if (now === undefined) throw new Error('Nothing has been started for this suite');
	return now;
}
