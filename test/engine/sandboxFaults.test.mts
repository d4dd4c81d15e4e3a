import type { IDataObject } from 'n8n-workflow';
import { runAction, runError, runOk } from './support/engine.mts';
import { containing, textOf } from './support/matchers.mts';
import { sandboxOf } from './support/sandbox.mts';
import type { Service } from './support/service.mts';
import { startService } from './support/service.mts';
import { useVirtualTime } from './support/virtualTime.mts';

let service: Service;
const sandbox = sandboxOf(() => service);
const time = useVirtualTime();

beforeAll(async () => {
	service = await startService();
});
beforeEach(() => sandbox.clear());
afterAll(() => service.stop());

const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
const MAY_EXIST = 'The collection request may exist all the same';

async function fault(settings: IDataObject): Promise<void> {
	const response = await fetch(`${service.url}/sandbox/faults`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ fault: settings }),
	});
	expect(response.status).toBe(200);
}

/** How many collection requests exist, and how many creates were sent. */
async function counts() {
	const response = await fetch(`${service.url}/sandbox/requests`);
	const existing = ((await response.json()) as unknown[]).length;
	return { existing, sent: (await sandbox.calls()).length };
}

test.each([
	['reset', 0],
	['resetAfterwards', 1],
	['cut', 1],
	['truncated', 1],
	['html', 0],
])('a create that meets "%s" is sent once and may exist; %i do', async (kind, existing) => {
	await fault({ kind });
	expect((await runError(sandbox.action(CREATE))).message).toContain(MAY_EXIST);
	expect(await counts()).toEqual({ existing, sent: 1 });
	expect(time.slept).toEqual([]);
});

test('a create that is refused for a while exists once in the end', async () => {
	await fault({ kind: 'busy', left: 2, retryAfter: 3 });
	expect(await runOk(sandbox.action(CREATE))).toMatchObject({ _id: containing('') });
	expect(await counts()).toEqual({ existing: 1, sent: 3 });
});

test('20 creates over a service that refuses now and then exist 20 times', async () => {
	await fault({ kind: 'busy', left: 5, retryAfter: 1 });
	const input = Array.from({ length: 20 }, () => ({}));
	const { json } = await runAction(sandbox.action(CREATE, { input }));
	expect(new Set(json.map(({ _id }) => _id)).size).toBe(20);
	expect((await counts()).existing).toBe(20);
});

test.each(['status', 'cut', 'reset', 'resetAfterwards'])(
	'a read that meets "%s" twice succeeds',
	async (kind) => {
		const requestId = textOf((await runOk(sandbox.action(CREATE)))._id);
		await fault({ kind, left: 2 });
		const read = { resource: 'collectionRequest', operation: 'get', requestId };
		expect(await runOk(sandbox.action(read))).toMatchObject({ _id: requestId });
		expect((await sandbox.calls()).slice(1)).toHaveLength(3);
	},
);
