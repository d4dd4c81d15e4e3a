import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction, type ActionRun } from './support/engine.mts';
import { by, having, held, json } from './support/faultServer.mts';

// Operations that output a list: the answers, the history or the participants.

const ID = '={{ $json.id }}';
const linkOf = (requestId: string) => `https://collect.example.com/request/${requestId}`;
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
const SERVICE = having({
	'collection-request/r1': requestOf(1),
	'collection-request/r2': requestOf(2),
	'share/s1': shareOf(1),
	'share/s2': shareOf(2),
});

describe.each([
	['share', 'getAnswers', 'label'],
	['share', 'getHistory', 'remark'],
	['collectionRequest', 'getParticipants', 'email'],
])('%s > %s', (resource, operation, field) => {
	/** Runs it for items with these IDs; `lists` has the request ID and the input item of each entry. */
	async function list(ids: string[], more: Partial<ActionRun> = {}) {
		const run = await runAction({
			parameters: { resource, operation, requestId: ID, output: 'answers' },
			input: ids.map((id) => ({ id })),
			answer: SERVICE,
			...more,
		});
		const hints = run.hints.map(({ message }) => message);
		const lists = run.items.map(({ json: { requestId, error }, pairedItem }) => [
			requestId ?? error,
			(pairedItem as { item: number }).item,
		]);
		return { ...run, hints, lists };
	}

	test('each comes out once, linked to the first item that names it, whichever is read first', async () => {
		const first = held(SERVICE);
		const answer = by(({ url }) => {
			if (url === '/di/collection-request/r1') return first.answer;
			if (url === '/di/share/s2') setImmediate(first.respond);
			return SERVICE;
		});
		const ids = ['r1', 'r2', ` ${linkOf('r1')}?from=email `, 'r2', 'r1'];
		const { json: entries, lists, sent, hints } = await list(ids, { answer });
		expect(lists.map(String)).toEqual(['r1,0', 'r1,0', 'r2,1', 'r2,1']);
		expect(new Set(entries.slice(0, 2).map((entry) => entry[field])).size).toBe(2);
		expect(sent).toBe(4);
		expect(hints).toEqual([]);
	});

	test('items that name different ones get each its list, and nothing is said', async () => {
		const { lists, hints } = await list(['r2', 'r1']);
		expect(lists.map(String)).toEqual(['r2,0', 'r2,0', 'r1,1', 'r1,1']);
		expect(hints).toEqual([]);
	});

	const failing = by(({ url }) => (url.endsWith('/bad') ? json(403, {}) : SERVICE));

	test('with Continue On Fail a failure comes out once, and the others have their lists', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const ids = ['', 'bad', 'r1', 'bad', 'r1'];
		const { lists } = await list(ids, { answer: failing, settings });
		expect(lists).toEqual([
			['Request ID is empty', 0],
			[containing('not allowed to read the collection request "bad"'), 1],
			['r1', 2],
			['r1', 2],
		]);
	});

	test('without it, a failure ends the node', async () => {
		const { error } = await list(['r1', 'bad', 'r2'], { answer: failing });
		expect(error?.message).toContain('not allowed to read the collection request "bad"');
	});

	// Also behind Done of a Wait, where nobody is held up by it either.
	test('one that the service no longer returns is left out, and a hint names it', async () => {
		const { lists, error, hints } = await list(['r1', 'gone', 'r2', 'gone']);
		expect(lists.map(String)).toEqual(['r1,0', 'r1,0', 'r2,2', 'r2,2']);
		const gone = 'The service does not know the collection request "gone" (HTTP 404)';
		expect([error, hints]).toEqual([
			undefined,
			[`2 of 4 items could not be read. They are left out: ${gone}.`],
		]);
	});

	test('if it returns none of them, the node fails: that proves nothing', async () => {
		const { error } = await list(['gone', 'deleted']);
		expect(error).toMatchObject({
			message: 'The service does not know the collection request "gone" (HTTP 404)',
			description: containing('Item 2 did not succeed either'),
		});
	});
});

test.each(['getAnswers', 'getHistory'])(
	'%s: one whose share is missing is left out, and a hint names it',
	async (operation) => {
		const { error, items, hints } = await runAction({
			parameters: { resource: 'share', operation, requestId: ID, output: 'answers' },
			input: [{ id: 'r1' }, { id: 'r3' }],
			answer: by(({ url }) => (url.endsWith('/r3') ? json(200, requestOf(3)) : SERVICE)),
		});
		expect([error, items.length]).toEqual([undefined, 2]);
		const missing = 'no longer has the share "s3" of the collection request "r3" (HTTP 404).';
		expect(hints).toMatchObject([{ message: containing(missing) }]);
	},
);

test.each(['getAnswers', 'getHistory'])(
	'%s: a share that is named twice by its own ID is read once',
	async (operation) => {
		const { items, urls } = await runAction({
			parameters: {
				resource: 'share',
				operation,
				output: 'answers',
				shareBy: 'shareId',
				shareId: ID,
			},
			input: [{ id: 's1' }, { id: 's2' }, { id: 's1' }],
			answer: SERVICE,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1].map((item) => ({ item })),
		);
		expect(urls).toEqual(['/di/share/s1', '/di/share/s2']);
	},
);

test.each(['collectionRequest', 'share'])(
	'%s: Get gives one item for each input item',
	async (resource) => {
		const parameters = { resource, operation: 'get', requestId: 'r1' };
		const { items } = await runAction({ parameters, input: [{}, {}], answer: SERVICE });
		expect(items).toMatchObject([{ pairedItem: { item: 0 } }, { pairedItem: { item: 1 } }]);
	},
);

/** What an operation outputs for one share. */
async function ofShare(share: object, parameters: INodeParameters) {
	const answer = json(200, { _id: 's1', collectionRequestId: 'r1', ...share });
	const byShareId = { resource: 'share', shareBy: 'shareId', shareId: 's1' };
	const { json: items } = await runAction({ parameters: { ...byShareId, ...parameters }, answer });
	return items;
}

describe('answers as columns', () => {
	const columns = (share: object) => ofShare(share, { operation: 'getAnswers' });
	/** The columns behind the answers. */
	const FIXED = {
		requestId: 'r1',
		guestLink: linkOf('r1'),
		shareId: 's1',
		status: 'completed',
		createTime: '2026-01-01T00:00:00.000Z',
		lastUpdateTime: '2026-01-02T00:00:00.000Z',
		deleteTime: null,
	};

	test('one item for a share: a field for each answer, then what it is', async () => {
		const items = await columns(shareOf(1));
		const fields = Object.entries({ Size: 'M1', Street: '', ...FIXED });
		expect(items.map((item) => Object.entries(item))).toEqual([fields]);
	});

	test('a share without answers is an item, too, with the same columns', async () => {
		const items = await columns({ otherFields: [], collectionRequestId: undefined });
		const nothing = Object.keys(FIXED).map((name) => [name, name === 'shareId' ? 's1' : null]);
		expect(items.map((item) => Object.entries(item))).toEqual([nothing]);
	});

	test('labels that repeat, collide or are names of every object keep every value', async () => {
		const labels = ['status', 'status', 'shareId (2)', 'shareId', 'error', 'error', '__proto__'];
		const otherFields = labels.map((label, n) => ({ label, value: `value ${n}` }));
		const [item = {}] = await columns({ ...shareOf(1), otherFields });
		const fields = {
			'status (2)': 'value 0',
			'status (3)': 'value 1',
			'shareId (2)': 'value 2',
			'shareId (3)': 'value 3',
			'error (2)': 'value 4',
			'error (3)': 'value 5',
			'__proto__ (2)': 'value 6',
			...FIXED,
		};
		expect(Object.entries(item)).toEqual(Object.entries(fields));
	});

	test('an item may choose another output than the one before it', async () => {
		const output = '={{ $json.output }}';
		const { json: items } = await runAction({
			parameters: { resource: 'share', operation: 'getAnswers', requestId: ID, output },
			// What else the first item asks for counts for all that name the same.
			input: [
				{ id: 'r1', output: 'columns' },
				{ id: 'r1', output: 'answers' },
				{ id: 'r2', output: 'answers' },
			],
			answer: SERVICE,
		});
		expect(items).toMatchObject([{ Size: 'M1' }, { label: 'Size' }, { label: 'Street' }]);
	});
});

describe('history', () => {
	const history = (updateLogs: unknown) => ofShare({ updateLogs }, { operation: 'getHistory' });

	test('one item for each entry: fields in their order', async () => {
		const items = await history([
			{
				updatedByAccount_id: 'a1',
				updatedByAccountType: 'user',
				updatedByAccountSnapshot: { name: 'Ada' },
				updateTime: '2026-01-01T00:00:00.000Z',
				remark: 'joined',
				unknown: 1,
			},
		]);
		expect(items.map((item) => Object.entries(item))).toEqual([
			Object.entries({
				requestId: 'r1',
				guestLink: linkOf('r1'),
				shareId: 's1',
				position: 1,
				updateTime: '2026-01-01T00:00:00.000Z',
				remark: 'joined',
				updatedBy: 'Ada',
				updatedById: 'a1',
				updatedByType: 'user',
			}),
		]);
	});

	test('oldest first; what has no time first of all, and what has the same in the order of the service', async () => {
		const times: Array<[remark: string, updateTime: unknown]> = [
			['last', '2026-01-03T00:00:00.000Z'],
			['odd 1', 'yesterday'],
			['first', '2026-01-01T00:00:00Z'],
			['odd 2', undefined],
			['third', '2026-01-02T01:00:00.5+02:00'],
			['second', '2026-01-01T12:00:00.123456Z'],
			['at the same time', '2026-01-01T12:00:00.123456Z'],
			['odd 3', {}],
		];
		const items = await history(times.map(([remark, updateTime]) => ({ remark, updateTime })));
		const inOrder = ['first', 'second', 'at the same time', 'third', 'last'];
		expect(items.map(({ remark }) => remark)).toEqual(['odd 1', 'odd 2', 'odd 3', ...inOrder]);
		expect(items.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('who changed it is null if the service sends no account', async () => {
		const sent = [undefined, 'Ada', ['Ada'], {}];
		const items = await history(
			sent.map((updatedByAccountSnapshot) => ({ updatedByAccountSnapshot })),
		);
		const nobody = { updatedBy: null, updatedById: null, updatedByType: null, remark: null };
		expect(items).toMatchObject([nobody, nobody, nobody, nobody]);
	});

	test.each<IDataObject>([{}, { updateLogs: 'x' }, { updateLogs: [null, 1] }])(
		'a share with %j gives no item',
		async (share) => {
			expect(await ofShare(share, { operation: 'getHistory' })).toEqual([]);
		},
	);
});
