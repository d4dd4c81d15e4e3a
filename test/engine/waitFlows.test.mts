import fc from 'fast-check';
import { createFor, runFlow } from './support/flow.mts';

// Random workflows with two Waits behind what was created, compared with what docs/wait.md promises. The
// model below is written from that page alone. One wait with its notifications is in
// `waitModel.test.mts`.

/** The ways to the first Wait. Rows in capitals leave If and Mailer by the first output. */
const WAYS = {
	straight: ['Trigger -> Rows -> Create -> Email -> First'],
	twoOutputs: ['Trigger -> Rows -> Create -> Mailer -> First', 'Mailer/1 -> First'],
	merged: ['Trigger -> Rows -> Create -> Mailer -> Merge -> First', 'Mailer/1 -> 1/Merge'],
	twoCreates: ['Trigger -> Rows -> If -> Create -> Merge -> First', 'If/1 -> Other -> 1/Merge'],
} satisfies Record<string, string[]>;

const statuses = fc.constantFrom('draft', 'open', 'completed', 'completed');
const event = fc.dictionary(fc.constantFrom('A', 'b', 'C'), statuses, { maxKeys: 3 });
const flows = fc.record({
	way: fc.constantFrom(...(Object.keys(WAYS) as Array<keyof typeof WAYS>)),
	rows: fc.subarray(['A', 'b', 'C'], { minLength: 1 }),
	people: fc.constantFrom(1, 2),
	waitFor: fc.constantFrom('completed', 'open'),
	isFirstOnly: fc.boolean(),
	events: fc.array(event, { maxLength: 4 }),
});
type Given = typeof flows extends fc.Arbitrary<infer T> ? T : never;

/** The waits of both nodes, and what the nodes behind them get. */
function modelOf({ way, rows, people, waitFor, isFirstOnly, events }: Given) {
	// Several Creates: the order of Merge, or of Rows, which alone has one item for each.
	const isCapital = (id: string) => id < 'a';
	const created =
		way === 'twoCreates' && people === 1
			? [...rows.filter(isCapital), ...rows.filter((id) => !isCapital(id))]
			: rows;
	const now: Record<string, string> = Object.fromEntries(rows.map((id) => [id, 'open']));
	const left = [...events, Object.fromEntries(rows.map((id) => [id, 'completed']))];
	const waits: string[] = [];

	/** What leaves by Done; undefined if its limit ends the wait. */
	function wait(name: string, ids: string[], awaited: string[], number = ids.length) {
		const isReached = (id: string) => awaited.includes(now[id] ?? '');
		const atOnce = ids.filter(isReached);
		if (atOnce.length >= number) return atOnce;
		const reports = left.shift() ?? {};
		Object.assign(now, reports);
		const reported = Object.keys(reports).filter((id) => ids.includes(id) && isReached(id));
		// With Number to Wait For, it ends as soon as so many have the status.
		const reached = new Set([...atOnce, ...(number === 1 ? reported.slice(0, 1) : reported)]);
		const done = ids.filter((id) => reached.has(id));
		const isDone = done.length >= number;
		waits.push(
			`${name} awaits ${ids.join(' ')}: ${isDone ? `done ${done.join(' ')}` : 'timed out'}`,
		);
		return isDone ? done : undefined;
	}

	const seen: Record<string, string[][]> = {};
	const awaitedFirst = waitFor === 'open' ? ['open', 'completed'] : ['completed'];
	let done: string[] | undefined;
	while (!(done = wait('First', created, awaitedFirst, isFirstOnly ? 1 : undefined))) {
		(seen.Remind ??= []).push(created);
	}
	seen.Between = [done];
	// What was Done in an earlier Wait for the same status is left out.
	const others = created.filter((id) => waitFor === 'open' || !done.includes(id));
	const second = others.length > 0 ? others : created;
	const last = wait('Second', second, ['completed']);
	seen[last ? 'Answers' : 'Late'] = [second];
	return { waits, seen };
}

const Wait = { operation: 'wait', limitWaitTime: true };

/** Milliseconds. Beside other work, this takes many times as long as alone. */
const LIMIT = 180_000;

// A failure prints its seed and path: WAIT='{"seed":1,"path":"2:0"}' runs it again.
const replay = JSON.parse(process.env.WAIT ?? '{"seed":1}') as fc.Parameters<unknown>;

test(
	'two Waits in a row, with rounds of the first one, are as documented',
	async () => {
		const property = fc.asyncProperty(flows, async (given) => {
			const { way, rows, people, waitFor, isFirstOnly, events } = given;
			const all = Object.fromEntries(rows.map((id) => [id, 'completed']));
			const run = await runFlow({
				rows,
				links: ['Rows'],
				nodes: {
					Create: createFor(people),
					Other: createFor(people),
					First: { ...Wait, waitFor, options: isFirstOnly ? { numberToWaitFor: 1 } : {} },
					Second: Wait,
				},
				edges: [
					...WAYS[way],
					'First -> Between -> Second -> Answers',
					'First/1 -> Remind -> First',
					'Second/1 -> Late',
				],
				events: [...events, all],
			});
			const { waits, seen } = modelOf(given);
			expect(run).toMatchObject({ error: undefined, waits });
			const ids = Object.entries(run.seen)
				.filter(([name]) => name in seen || ['Answers', 'Late', 'Remind'].includes(name))
				.map(([name, runs]) => [
					name,
					runs.map((texts) => texts.map((text) => text.split(' ')[0])),
				]);
			expect(Object.fromEntries(ids)).toEqual(seen);
			// Each item is linked with its own row. With Number to Wait For, or if several people stand for one
			// on several branches, there may be no link, but never one with another row.
			const mayLack = isFirstOnly || (way === 'twoOutputs' && people > 1);
			for (const text of Object.values(run.seen).flat(2)) {
				const [id, row] = text.split(' ');
				if (id && row !== 'none') expect(row).toBe(id);
				if (!mayLack) expect(row).not.toBe('none');
			}
		});
		await fc.assert(property, { numRuns: 30, ...replay });
	},
	LIMIT,
);
