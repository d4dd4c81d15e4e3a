import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { runAction } from './support/engine.mts';
import { by, json, type Answer } from './support/faultServer.mts';
import { reportedExecution } from './support/waitNode.mts';

// The one rule of reading, in docs/nodes.md: whatever the service says, no collection request vanishes.

/** What the service says about a collection request. */
const KINDS = {
	completed: undefined,
	open: undefined,
	/** There is a collection request, and its share is missing. */
	shareMissing: undefined,
	missing: json(404, {}),
	deleted: json(410, {}),
	forbidden: json(403, {}),
	keyRefused: json(401, {}),
	invalid: json(422, {}),
	down: json(503, {}),
	reset: ({ socket }) => void socket?.resetAndDestroy(),
} satisfies Record<string, Answer | undefined>;
type Kind = keyof typeof KINDS;

const OPERATIONS = {
	checkStatus: 'collectionRequest',
	getPeopleToRemind: 'collectionRequest',
	getParticipants: 'collectionRequest',
	getAnswers: 'share',
	getHistory: 'share',
	wait: 'collectionRequest',
};
type Operation = keyof typeof OPERATIONS;

/** A service whose collection requests are called after their kinds, with a number: `open-1`. */
const service = by(({ url }) => {
	const [, , resource, name = ''] = url.split('/');
	const id = name.replace('share-', '');
	const [kind] = id.split('-') as [Kind];
	if (resource === 'share') {
		if (kind === 'shareMissing') return json(404, {});
		const [otherFields, updateLogs] = [[{ label: 'Size', value: 'M' }], [{ remark: 'joined' }]];
		return json(200, { _id: name, collectionRequestId: id, otherFields, updateLogs });
	}
	const shareStatus = kind === 'completed' ? kind : 'open';
	const participantList = [{ email: 'ada@example.com' }];
	return (
		KINDS[kind] ?? json(200, { _id: id, shareStatus, shareId: `share-${id}`, participantList })
	);
});

async function read(operation: Operation, ids: string[], onError: INode['onError']) {
	const execution = operation === 'wait' ? await reportedExecution(ids) : undefined;
	const { outputs, error, hints, run } = await runAction({
		parameters: {
			resource: OPERATIONS[operation],
			operation,
			which: 'requestId',
			requestId: '={{ $json.id }}',
		},
		input: ids.map((id) => ({ id })),
		answer: service,
		settings: { onError },
		execution,
	});
	const items = outputs.flat().flatMap((item) => item ?? []);
	const indexOf = ({ pairedItem }: (typeof items)[number]) => (pairedItem as { item: number }).item;
	return {
		error,
		isWaiting: run.waitTill !== undefined,
		/** The input items, by what has become of them. */
		out: ids.filter((id) => items.some((item) => item.json.requestId === id)),
		failed: ids.filter((_, index) =>
			items.some((item) => item.json.error !== undefined && indexOf(item) === index),
		),
		hinted: ids.filter((id) => hints.some(({ message }) => message.includes(`"${id}"`))),
	};
}

type Outcome = 'out' | 'error' | 'hint';

/** What has to become of each, if the operation is not Wait. */
function expected(operation: Operation, kinds: Kind[], isStopped: boolean): Outcome[] {
	const isOfShare = OPERATIONS[operation] === 'share';
	const isMissing = (kind: Kind) =>
		kind === 'missing' || kind === 'deleted' || (kind === 'shareMissing' && isOfShare);
	const isRead = (kind: Kind) => KINDS[kind] === undefined && !isMissing(kind);
	const isAnyRead = kinds.some(isRead);
	return kinds.map((kind) => {
		if (isRead(kind)) return 'out';
		if (!isAnyRead) return 'error';
		const isChecked = operation === 'checkStatus';
		if (isMissing(kind)) return isChecked ? 'out' : 'hint';
		const isRefused = kind === 'forbidden' || kind === 'keyRefused';
		return isChecked && isStopped && !isRefused ? 'out' : 'error';
	});
}

const kinds = fc.array(fc.constantFrom(...(Object.keys(KINDS) as Kind[])), {
	minLength: 1,
	maxLength: 4,
});
const settings = fc.constantFrom<INode['onError'][]>(
	'stopWorkflow',
	'continueRegularOutput',
	'continueErrorOutput',
);

test.each(Object.keys(OPERATIONS).filter((name) => name !== 'wait') as Operation[])(
	'%s: each is in an output, an error or a hint, or the node fails',
	async (operation) => {
		await fc.assert(
			fc.asyncProperty(kinds, settings, async (given, onError) => {
				const ids = given.map((kind, index) => `${kind}-${index}`);
				const isStopped = onError === 'stopWorkflow';
				const outcomes = expected(operation, given, isStopped);
				const become = (outcome: Outcome) => ids.filter((_, index) => outcomes[index] === outcome);
				const { error, out, failed, hinted } = await read(operation, ids, onError);
				const mustFail = isStopped && outcomes.includes('error');
				expect(error !== undefined).toBe(mustFail);
				if (mustFail) return;
				expect(failed).toEqual(become('error'));
				expect(hinted).toEqual(expect.arrayContaining(become('hint')));
				// As long as one is open, the people of those that are completed are not reminded.
				const isOpen = (id: string) => /^(open|shareMissing)/.test(id);
				const isReminding = operation === 'getPeopleToRemind' && ids.some(isOpen);
				const isExpected = (id: string) => !isReminding || isOpen(id);
				expect(out).toEqual(become('out').filter(isExpected));
			}),
			{ numRuns: 40 },
		);
	},
);

test('wait: each is awaited, or in an output or an error, or the node fails', async () => {
	await fc.assert(
		fc.asyncProperty(kinds, settings, async (given, onError) => {
			const ids = given.map((kind, index) => `${kind}-${index}`);
			const { error, isWaiting, out, failed } = await read('wait', ids, onError);
			const isEach = (...names: Kind[]) => given.every((kind) => names.includes(kind));
			const isAny = (...names: Kind[]) => given.some((kind) => names.includes(kind));
			const mustFail = isAny('forbidden', 'keyRefused', 'invalid') || isEach('missing', 'deleted');
			const isStopped = onError === 'stopWorkflow';
			const isDone = !mustFail && isEach('completed', 'missing', 'deleted');
			expect({ isFailed: error !== undefined, isWaiting, out, failed }).toEqual({
				isFailed: mustFail && isStopped,
				isWaiting: !mustFail && !isDone,
				out: isDone ? ids : [],
				failed: mustFail && !isStopped ? ids : [],
			});
		}),
		{ numRuns: 40 },
	);
});
