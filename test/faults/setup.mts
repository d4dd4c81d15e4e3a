import { Failure } from '../../sandbox/shared/failure.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';

/** Each file starts its own n8n, which it kills repeatedly. */
export default async function setUp(): Promise<void> {
	if (await holdLock('faults')) return;
	throw new Failure('The suite faults of this checkout is running already: wait for it.');
}
