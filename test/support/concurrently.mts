type Test = (title: string, body: () => Promise<void>) => void;

/**
 * A `test` for a block whose tests wait for n8n, which ends waits once a minute: all of them begin
 * together, before the first.
 */
export function concurrently(): Test {
	const bodies = new Map<string, () => Promise<void>>();
	const running = new Map<string, Promise<void>>();
	beforeAll(() => {
		for (const [title, body] of bodies) {
			const result = body();
			// Its test reports it, perhaps when it has failed long since.
			result.catch(() => undefined);
			running.set(title, result);
		}
	});
	return (title, body) => {
		bodies.set(title, body);
		test(title, async () => await running.get(title));
	};
}
