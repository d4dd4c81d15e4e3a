import type { INode } from 'n8n-workflow';
import type { Wait } from '../../nodes/DataCollection/wait/waitState.ts';
import { progressOf, throwIncurable } from '../../nodes/DataCollection/wait/progress.ts';
import type { FailureKind } from '../../nodes/DataCollection/service/callFailure.ts';

// How far a wait for a, b and c has come, by what could be read.

const NODE = { name: 'Wait', type: 'x', typeVersion: 1, parameters: {} } as unknown as INode;

const failed = (kind: FailureKind) =>
	({
		ok: false,
		error: { kind, message: kind, description: 'Correct it.', mayHaveBeenCreated: false },
	}) as const;
const read = (_id: string) => ({ ok: true, value: { _id, shareStatus: 'open' } }) as const;

type Known = FailureKind | 'read' | undefined;
const readingOf = (known: Record<string, Known>) =>
	new Map(
		Object.entries(known).flatMap(([id, kind]) =>
			kind === undefined ? [] : [[id, kind === 'read' ? read(id) : failed(kind)] as const],
		),
	);

const requestIds = ['a', 'b', 'c'];
const waitWith = (reached: string[], needed = 3) =>
	({
		requestIds,
		needed,
		statuses: ['completed'],
		reached: new Map(reached.map((id) => [id, 'completed'])),
	}) as unknown as Wait;

test.each<[string, string[], Record<string, Known>, object]>([
	['nothing was read', [], {}, { isDone: false, unreachedAllowed: 0, isNothingRead: false }],
	['all are done', requestIds, {}, { isDone: true }],
	['one is open', ['a', 'b'], { c: 'read' }, { isDone: false, unreachedAllowed: -1 }],
	['one is missing, one was read', ['a'], { b: 'missing', a: 'read' }, { missing: new Set(['b']) }],
	[
		'two are missing, and the third is done and can be read',
		['a'],
		{ a: 'read', b: 'missing', c: 'missing' },
		{ isDone: true, missing: new Set(['b', 'c']) },
	],
	[
		'two are missing, and the third is done and cannot be read',
		['a'],
		{ a: 'unavailable', b: 'missing', c: 'missing' },
		{
			isDone: false,
			isNothingRead: true,
			missing: new Set(),
			pending: ['b', 'c'],
			error: { kind: 'missing' },
		},
	],
	[
		'two were reported, of which one is missing now, and the third is open',
		['a', 'b'],
		{ a: 'missing', c: 'read' },
		{ isDone: false, unreachedAllowed: -1, pending: ['c'] },
	],
	[
		'all are missing',
		[],
		{ a: 'missing', b: 'missing', c: 'missing' },
		{ isDone: false, isNothingRead: true, missing: new Set() },
	],
	[
		'one is forbidden: it may still be completed',
		['a', 'b'],
		{ a: 'read', c: 'forbidden' },
		{ isDone: false, unreachedAllowed: 0, pending: ['c'], error: { kind: 'forbidden' } },
	],
])('%s', (_title, reached, known, progress) => {
	expect(progressOf(waitWith(reached), readingOf(known))).toMatchObject(progress);
});

describe('what ends a wait before it begins', () => {
	const begin = (known: Record<string, Known>, mappedIds: string[]) => () =>
		throwIncurable({ getNode: () => NODE } as never, { requestIds }, readingOf(known), mappedIds);
	const named = (message: string, itemIndex: number) =>
		expect.objectContaining({
			message,
			description: `Correct it. In the input, it is item ${itemIndex + 1}.`,
			context: expect.objectContaining({ itemIndex }) as object,
		}) as Error;
	const unnamed = (message: string) =>
		expect.objectContaining({ message, description: 'Correct it.' }) as Error;

	test.each<[string, Record<string, Known>, Error]>([
		['an item names it', { a: 'read', b: 'forbidden', c: 'invalid' }, named('forbidden', 1)],
		['no item maps to it, so none is named', { c: 'invalid' }, unnamed('invalid')],
		['of a refused key, no item is to blame', { a: 'fatal' }, unnamed('fatal')],
		['all are missing', { a: 'missing', b: 'missing', c: 'missing' }, named('missing', 0)],
	])('%s', (_title, known, error) => {
		expect(begin(known, ['a', 'b'])).toThrow(error);
	});

	test.each<Record<string, Known>>([
		{ a: 'read', b: 'missing' },
		{ a: 'unavailable', b: 'missing', c: 'missing' },
		{},
	])('%j does not', (known) => {
		expect(begin(known, ['a', 'b'])).not.toThrow();
	});
});
