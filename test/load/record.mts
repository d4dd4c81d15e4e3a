import { attempt, notification, type Attempt } from '../deployment/sender.mts';
import type { Target } from './target.mts';

/** Longer than the service waits, so that the whole answer time is known. */
const patience = 120_000;

/** A delivery that was sent once, and how it went. */
export interface Record extends Attempt {
	target: string;
	/** For example `burst of 50`. */
	phase: string;
}

/** Sends one signed notification, as the service does but for its time limit and without a retry. */
export async function sendOne(target: Target, phase: string, secret: string): Promise<Record> {
	const sent = await attempt(target.url, notification(secret, 'load'), patience);
	return { ...sent, target: target.name, phase };
}
