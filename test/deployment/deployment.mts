import type { N8nRest } from '../../sandbox/n8n/rest.mts';

export type Mode = 'regular' | 'queue';

/** The members of queue mode that n8n keeps its data in. */
export const stores = ['redis', 'postgres'];

/** One process of a deployment; it may be ended as a crash would and started again. */
export interface Member {
	name: string;
	/** Undefined while it is not running. */
	pid(): number | undefined;
	/** `kill -9`; resolves when it has ended. */
	kill(): Promise<void>;
	/** Starts it where it was, and resolves when it is ready. */
	start(): Promise<void>;
}

/** A running n8n, in one process or in several, with the package under test. */
export interface Deployment {
	mode: Mode;
	/** Where its editor is and where notifications go; stays the same over restarts. */
	url: string;
	/** As its owner; the session outlives restarts. */
	rest: N8nRest;
	/** Those that must run first come first. */
	members: Member[];
	/** A process by its kind: of several the one that works on an execution, or the first. */
	choose(kind: string, executionId?: string): Promise<string>;
	/** The folder with its logs. */
	folder: string;
	stop(): Promise<void>;
}
