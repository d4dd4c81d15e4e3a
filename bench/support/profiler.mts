import { once } from 'node:events';
import { Failure } from '../../sandbox/shared/failure.mts';

/** A place in the code, and what it called. */
interface ProfileNode {
	id: number;
	callFrame: { functionName: string; url: string };
	children?: number[];
}

/** The result of V8's sampling: which place was running, and for how many microseconds. */
export interface CpuProfile {
	nodes: ProfileNode[];
	samples: number[];
	timeDeltas: number[];
}

/** A kind of work, identified by the files that do it or by V8's name for it. */
export interface Area {
	title: string;
	matches: (frame: ProfileNode['callFrame']) => boolean;
}

interface Reply {
	result?: unknown;
	error?: { message: string };
}

/** Samples a Node.js process that was started with `--inspect` on a port of 127.0.0.1. */
export async function connectProfiler(port: number) {
	const list = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [target] = (await list.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
	const closed = new AbortController();
	const { signal } = closed;
	socket.addEventListener('close', () => closed.abort());
	await once(socket, 'open', { signal });
	// One command at a time, so the next message is its response.
	const ask = async (method: string, params: object = {}): Promise<unknown> => {
		const response = once(socket, 'message', { signal });
		socket.send(JSON.stringify({ id: 1, method, params }));
		const [{ data }] = (await response) as [MessageEvent<string>];
		const { result, error } = JSON.parse(data) as Reply;
		if (error !== undefined) throw new Failure(error.message);
		return result;
	};
	await ask('Profiler.enable');
	await ask('Profiler.setSamplingInterval', { interval: 200 });
	return {
		/** What the process did while `work` ran. */
		async during(work: () => Promise<void>): Promise<CpuProfile> {
			await ask('Profiler.start');
			await work();
			return ((await ask('Profiler.stop')) as { profile: CpuProfile }).profile;
		},
		close: () => socket.close(),
	};
}

/**
 * Milliseconds of each area. A sample belongs to the innermost call that an area claims, or else to
 * the last area, which claims everything; idle time does not count.
 */
export function timeByArea({ nodes, samples, timeDeltas }: CpuProfile, areas: Area[]): number[] {
	const parents = new Map(
		nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
	);
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const areaOf = (start: ProfileNode): number => {
		for (let node: ProfileNode | undefined = start; node; node = parents.get(node.id)) {
			const { callFrame } = node;
			const area = areas.findIndex(({ matches }) => matches(callFrame));
			if (area !== -1 && area !== areas.length - 1) return area;
		}
		return areas.length - 1;
	};
	const areaOfNode = new Map(nodes.map((node) => [node.id, areaOf(node)]));
	const times = areas.map(() => 0);
	for (const [index, id] of samples.entries()) {
		// The first sample starts before the profiler was ready.
		if (index === 0) continue;
		if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
		const area = areaOfNode.get(id) ?? areas.length - 1;
		times[area] = (times[area] ?? 0) + (timeDeltas[index] ?? 0) / 1000;
	}
	return times;
}
