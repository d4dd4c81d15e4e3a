import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction, type ActionRun } from './support/engine.mts';
import { by, having, json, type Answer } from './support/faultServer.mts';

// Operations that output a list: the answers, the history or the participants.

const requestOf = (n: number) => ({
	_id: `r${n}`,
	shareId: `s${n}`,
	shareStatus: 'completed',
	participantList: [{ email: `ada${n}@example.com` }, { email: `ben${n}@example.com` }],
});
const shareOf = (n: number) => ({
	_id: `s${n}`,
	collectionRequestId: `r${n}`,
	status: 'completed',
	createTime: '2026-01-01T00:00:00.000Z',
	lastUpdateTime: '2026-01-02T00:00:00.000Z',
	otherFields: [
		{ label: 'Size', value: `M${n}`, type: 'text', isMandatory: true },
		{ label: 'Street', value: '', type: 'text', isMandatory: false },
	],
	updateLogs: [{ remark: `first ${n}` }, { remark: `second ${n}` }],
});
const linkOf = (requestId: string) => `https://collect.example.com/request/${requestId}`;

const SERVICE = having({
	'collection-request/r1': requestOf(1),
	'collection-request/r2': requestOf(2),
	'share/s1': shareOf(1),
	'share/s2': shareOf(2),
});

const ONCE = 'Several items name the same collection request: its list comes out once.';

const OPERATIONS = [
	['share', 'getAnswers', 'label'],
	['share', 'getHistory', 'remark'],
	['collectionRequest', 'getParticipants', 'email'],
] as const;

describe.each(OPERATIONS)('%s > %s', (resource, operation, field) => {
	/** Runs it for items with these IDs; `outcome` has the request and a field of each output item. */
	async function list(ids: unknown[], more: Partial<ActionRun> = {}) {
		const { parameters, ...others } = more;
		const run = await runAction({
			parameters: { resource, operation, requestId: '={{ $json.id }}', ...parameters },
			input: ids.map((id) => ({ id }) as IDataObject),
			answer: SERVICE,
			...others,
		});
		const messages = run.hints.map(({ message }) => message);
		const outcome = run.items.map(({ json: item, pairedItem }) => {
			return [item.requestId ?? item.error, pairedItem];
		});
		return { ...run, messages, outcome };
	}

	const rows = (item: number, id: string) => [0, 1].map(() => [id, { item }]);

	test('items that name the same one by ID and by guest link get its list once', async () => {
		const run = await list(['r1', ` ${linkOf('r1')}?from=email `, 'r1']);
		expect(run.outcome).toEqual(rows(0, 'r1'));
		expect(new Set(run.json.map((item) => item[field])).size).toBe(2);
		expect(run.urls).toEqual(['/di/collection-request/r1', '/di/share/s1']);
		expect(run.messages).toEqual([ONCE]);
	});

	test('each list is linked to the first item that names it, whichever is read first', async () => {
		let release = () => {};
		const held: Answer = (...received) => {
			release = () => SERVICE(...received);
		};
		const answer = by(({ url }) => {
			if (url === '/di/collection-request/r1') return held;
			if (url === '/di/share/s2') setImmediate(() => release());
			return SERVICE;
		});
		const run = await list(['r1', 'r2', 'r1', 'r2', 'r2'], { answer });
		expect(run.outcome).toEqual([...rows(0, 'r1'), ...rows(1, 'r2')]);
		expect(run.sent).toBe(4);
		expect(run.messages).toEqual([ONCE]);
	});

	test('items that name different ones get each its list, and nothing is said', async () => {
		const input = [{ requestId: 'r2' }, { requestId: 'r1' }];
		// The default names the one of the input item.
		const parameters = { requestId: '={{ $json.requestId }}' };
		const run = await list([], { input, parameters });
		expect(run.outcome).toEqual([...rows(0, 'r2'), ...rows(1, 'r1')]);
		expect(run.messages).toEqual([]);
	});

	test('with Continue On Fail a failure comes out once, and the others have their lists', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const run = await list(['', 'gone', 'r1', 'gone', 'r1'], { settings });
		const failed = containing('does not know the collection request "gone"');
		const failures = [
			['Request ID is empty', { item: 0 }],
			[failed, { item: 1 }],
		];
		expect(run.outcome).toEqual([...failures, ...rows(2, 'r1')]);
	});

	test('a failure stops the node, and the first item that names it is at fault', async () => {
		const { error, json: items } = await list(['r1', 'gone', 'gone']);
		expect({ failed: error?.context.itemIndex, items }).toEqual({ failed: 1, items: [] });
	});
});

const byShare = (shareId: string): INodeParameters => ({
	resource: 'share',
	shareBy: 'shareId',
	shareId,
});

test.each(['getAnswers', 'getHistory'])(
	'%s: a share named twice by its own ID',
	async (operation) => {
		const parameters = { ...byShare('={{ $json.id }}'), operation };
		const input = [{ id: 's1' }, { id: 's2' }, { id: 's1' }];
		const { items, urls } = await runAction({ parameters, input, answer: SERVICE });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1].map((item) => ({ item })),
		);
		expect(urls).toEqual(['/di/share/s1', '/di/share/s2']);
	},
);

test('Get gives one item for each input item', async () => {
	for (const resource of ['collectionRequest', 'share']) {
		const parameters = { resource, operation: 'get', requestId: 'r1' };
		const { items } = await runAction({ parameters, input: [{}, {}], answer: SERVICE });
		expect(items).toMatchObject([{ pairedItem: { item: 0 } }, { pairedItem: { item: 1 } }]);
	}
});

/** Runs an operation for one share. */
async function ofShare(share: object, parameters: INodeParameters) {
	const answer = json(200, { _id: 's1', collectionRequestId: 'r1', ...share });
	const run = await runAction({ parameters: { ...byShare('s1'), ...parameters }, answer });
	expect(run.error).toBeUndefined();
	return run.json;
}

describe('answers as columns', () => {
	const columns = (share: object) => ofShare(share, { operation: 'getAnswers', output: 'columns' });
	const { createTime, lastUpdateTime, status } = shareOf(1);
	const fixed = Object.entries({
		requestId: 'r1',
		guestLink: linkOf('r1'),
		shareId: 's1',
		status,
		createTime,
		lastUpdateTime,
		deleteTime: null,
	});

	test('one item for a share: a field for each answer, then what it is', async () => {
		const [item = {}, ...more] = await columns(shareOf(1));
		expect(Object.entries(item)).toEqual([['Size', 'M1'], ['Street', ''], ...fixed]);
		expect(more).toEqual([]);
	});

	test('a share without answers is an item, too, with the same columns', async () => {
		const items = await columns({ otherFields: [], collectionRequestId: undefined });
		const nothing = fixed.map(([name]) => [name, name === 'shareId' ? 's1' : null]);
		expect(items.map((item) => Object.entries(item))).toEqual([nothing]);
	});

	test('labels that repeat, collide or are names of every object keep every value', async () => {
		const labels = ['status', 'status', 'shareId (2)', 'shareId', 'error', 'error', '__proto__'];
		const otherFields = labels.map((label, n) => ({ label, value: `value ${n}` }));
		const [item = {}] = await columns({ ...shareOf(1), otherFields });
		const names = ['status (2)', 'status (3)', 'shareId (2)', 'shareId (3)', 'error (2)'];
		names.push('error (3)', '__proto__ (2)');
		const values = names.map((name, n) => [name, `value ${n}`]);
		expect(Object.entries(item)).toEqual([...values, ...fixed]);
	});

	test('an item may choose another output than the one before it', async () => {
		const parameters = {
			resource: 'share',
			operation: 'getAnswers',
			requestId: '={{ $json.id }}',
			output: '={{ $json.output }}',
		};
		// What else the first item asks for counts for all that name the same.
		const input = [
			{ id: 'r1', output: 'columns' },
			{ id: 'r1', output: 'answers' },
			{ id: 'r2', output: 'answers' },
		];
		const { json: items } = await runAction({ parameters, input, answer: SERVICE });
		expect(items).toMatchObject([{ Size: 'M1' }, { label: 'Size' }, { label: 'Street' }]);
	});
});

describe('history', () => {
	const history = (updateLogs: unknown) => ofShare({ updateLogs }, { operation: 'getHistory' });
	const at = (updateTime: unknown, remark = String(updateTime)) => ({ updateTime, remark });
	const remarksOf = (items: IDataObject[]) => items.map(({ remark }) => remark);

	test('one item for each entry: fields in their order', async () => {
		const by = { updatedByAccount_id: 'a1', updatedByAccountType: 'user' };
		const log = { ...by, updatedByAccountSnapshot: { name: 'Ada' }, ...at(shareOf(1).createTime) };
		const items = await history([{ ...log, remark: 'joined', unknown: 1 }]);
		expect(items.map((item) => Object.entries(item))).toEqual([
			Object.entries({
				requestId: 'r1',
				guestLink: linkOf('r1'),
				shareId: 's1',
				position: 1,
				updateTime: log.updateTime,
				remark: 'joined',
				updatedBy: 'Ada',
				updatedById: 'a1',
				updatedByType: 'user',
			}),
		]);
	});

	test('oldest first, whatever the order of the service; the same time keeps that order', async () => {
		const items = await history([
			at('2026-01-03T00:00:00.000Z', 'last'),
			at('2026-01-01T00:00:00Z', 'first'),
			at('2026-01-02T01:00:00.5+02:00', 'third'),
			at('2026-01-01T12:00:00.123456Z', 'second'),
			at('2026-01-01T12:00:00.123456Z', 'at the same time'),
		]);
		expect(remarksOf(items)).toEqual(['first', 'second', 'at the same time', 'third', 'last']);
		expect(items.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
	});

	test('entries whose time cannot be parsed come first, in the order of the service', async () => {
		const odd = ['yesterday', undefined, {}, null].map((time, index) => at(time, `odd ${index}`));
		const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
		const [first, second, ...others] = odd;
		const items = await history([at(late), first, second, at(early), ...others]);
		const names = odd.map((_, index) => `odd ${index}`);
		expect(remarksOf(items)).toEqual([...names, early, late]);
	});

	test.each([[undefined], ['Ada'], [['Ada']], [{}]])(
		'who changed it is null if the service sends %j',
		async (updatedByAccountSnapshot) => {
			const [item] = await history([{ updatedByAccountSnapshot }]);
			const nobody = { updatedBy: null, updatedById: null, updatedByType: null };
			expect(item).toMatchObject({ ...nobody, updateTime: null, remark: null });
		},
	);

	test.each([[undefined], ['x'], [[null, 1]]])('%j gives no item', async (updateLogs) => {
		expect(await history(updateLogs)).toEqual([]);
	});
});
