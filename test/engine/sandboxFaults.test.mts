import { runAction, runError, runOk } from './support/engine.mts';
import { containing, textOf } from '../support/matchers.mts';
import { CREATE, MAY_EXIST, READ } from './support/operations.mts';
import { useSandbox } from './support/sandbox.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const sandbox = useSandbox();
const time = useVirtualTime();

/** How many collection requests exist, and how many creates were sent. */
const counts = async () => ({
	existing: await sandbox.count(),
	sent: (await sandbox.calls()).length,
});

test.each([
	['reset', 0],
	['resetAfterwards', 1],
	['cut', 1],
	['truncated', 1],
	['html', 0],
])('a create that meets "%s" is sent once and may exist; %i do', async (kind, existing) => {
	await sandbox.fault({ kind });
	expect((await runError(sandbox.action(CREATE))).message).toContain(MAY_EXIST);
	expect(await counts()).toEqual({ existing, sent: 1 });
	expect(time.slept).toEqual([]);
});

test('a create that is refused for a while exists once in the end', async () => {
	await sandbox.fault({ kind: 'busy', left: 2, retryAfter: 3 });
	const { item } = await runOk(sandbox.action(CREATE));
	expect(item).toMatchObject({ _id: containing('') });
	expect(await counts()).toEqual({ existing: 1, sent: 3 });
});

test('20 creates over a service that refuses now and then exist 20 times', async () => {
	await sandbox.fault({ kind: 'busy', left: 5, retryAfter: 1 });
	const input = Array.from({ length: 20 }, () => ({}));
	const { json } = await runAction(sandbox.action(CREATE, { input }));
	expect(new Set(json.map(({ _id }) => _id)).size).toBe(20);
	expect((await counts()).existing).toBe(20);
});

test.each(['status', 'cut', 'reset', 'resetAfterwards'])(
	'a read that meets "%s" twice succeeds',
	async (kind) => {
		const requestId = textOf((await runOk(sandbox.action(CREATE))).item._id);
		await sandbox.fault({ kind, left: 2 });
		const { item } = await runOk(sandbox.action({ ...READ, requestId }));
		expect(item).toMatchObject({ _id: requestId });
		expect((await sandbox.calls()).slice(1)).toHaveLength(3);
	},
);
