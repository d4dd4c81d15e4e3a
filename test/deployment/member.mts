import type { RunningServer } from '../../sandbox/shared/server.mts';
import type { Member } from './deployment.mts';

/** A process of the sandbox, with what it may be waited for: whether it still runs. */
export function memberOf(part: RunningServer): Member {
	let isUp = false;
	const watch = () => {
		isUp = true;
		const { ended } = part;
		void ended.then(() => {
			if (ended === part.ended) isUp = false;
		});
	};
	watch();
	return {
		name: part.name,
		pid: () => (isUp ? part.pid : undefined),
		kill: async () => {
			await part.kill();
			isUp = false;
		},
		start: async () => {
			await part.start();
			watch();
		},
	};
}
