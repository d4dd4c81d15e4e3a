import type { Log } from '../shared/failure.mts';
import type { Part } from './part.mts';

/** So that a process that cannot run does not come and go for ever. */
const restarts = 5;

/**
 * Starts a process again whenever it has ended, as a service manager does. Resolves with how it
 * ended when it has done so too often; `isOver` tells that it was meant to end.
 */
export async function supervise(part: Part, isOver: () => boolean, log: Log): Promise<string> {
	for (let left = restarts; ; left--) {
		const how = await part.ended;
		if (isOver() || left === 0) return how;
		log(`${how}; starting it again (${left} times at most).`);
		await part.start();
		log(`The ${part.name} is up again, as process ${part.pid}.`);
	}
}
