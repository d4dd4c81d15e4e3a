import type { IDataObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { EventEmitter, once } from 'node:events';
import type { Operation, Resource, Run } from '../../nodes/DataCollection/actions/operation.ts';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { runAction } from './support/engine.mts';

/** The node's own share resource, which has one more operation while a test runs. */
const share = resources.share as Record<string, Resource[string]>;
const NAME = 'ofTheTest';

afterEach(() => delete share[NAME]);

/** What it does; it has no parameters. */
type Work = WithoutParameters<Operation>;
type WithoutParameters<T> = T extends unknown ? Omit<T, 'description'> : never;

/** Runs the node with an operation of the test's own, for three items. */
async function run(work: Work, settings?: Partial<INode>, credential = {}) {
	share[NAME] = { description: [], ...work };
	const parameters = { resource: 'share', operation: NAME };
	const input = [{ n: 1 }, { n: 2 }, { n: 3 }];
	const { items, error } = await runAction({ parameters, input, settings, credential });
	return { items: items.map(({ json, pairedItem }) => ({ json, pairedItem })), error };
}

const GO_ON: Partial<INode> = { onError: 'continueRegularOutput' };

const item = (itemIndex: number, json: IDataObject) => ({ json, pairedItem: { item: itemIndex } });

const refuse = ({ context }: Run) => {
	throw new NodeOperationError(context.getNode(), 'It did not work', { description: 'Wait.' });
};
const refused = (itemIndex: number) =>
	item(itemIndex, { error: 'It did not work', message: 'Wait.' });

describe('an operation that returns a list', () => {
	/** As many entries as the item's number says, none for the second. */
	const list = async (_run: Run, of: number) =>
		await Promise.resolve([[{ of, n: 1 }], [], [1, 2, 3].map((n) => ({ of, n }))][of] ?? []);
	const ofThird = [1, 2, 3].map((n) => item(2, { of: 2, n }));

	test.each<[string, Partial<INode>]>([
		['', {}],
		[', with Continue On Fail', GO_ON],
	])('gives an item for each entry, none for an empty list%s', async (_title, settings) => {
		const { items, error } = await run({ execute: list }, settings);
		expect(error).toBeUndefined();
		expect(items).toEqual([item(0, { of: 0, n: 1 }), ...ofThird]);
	});

	test('gives nothing at all when every list is empty', async () => {
		const execute = async () => await Promise.resolve([]);
		expect(await run({ execute })).toEqual({ items: [], error: undefined });
	});

	test('keeps the order of the input, whichever item is ready first', async () => {
		const done: number[] = [];
		const ends = new EventEmitter();
		const execute = async (_run: Run, of: number) => {
			// Each waits for the one after it.
			if (of < 2) await once(ends, String(of + 1));
			done.push(of);
			ends.emit(String(of));
			return [1, 2].map((n) => ({ of, n }));
		};
		const { items } = await run({ execute });
		expect(done).toEqual([2, 1, 0]);
		expect(items).toEqual(
			[0, 1, 2].flatMap((of) => [item(of, { of, n: 1 }), item(of, { of, n: 2 })]),
		);
	});

	test('gives one item with the error for an input item that fails, between the others', async () => {
		const execute = async (given: Run, itemIndex: number) =>
			itemIndex === 0 ? refuse(given) : await list(given, itemIndex);
		expect((await run({ execute }, GO_ON)).items).toEqual([refused(0), ...ofThird]);
	});

	test('names each request that it created once in the error, however many items it gave', async () => {
		const execute = async (given: Run, itemIndex: number) => {
			if (itemIndex === 2) return refuse(given);
			given.created.add(`r${itemIndex}`);
			return await Promise.resolve([{ n: 1 }, { n: 2 }]);
		};
		const { error, items } = await run({ execute });
		expect(items).toEqual([]);
		expect(error?.description).toContain('2 collection requests were created: r0, r1.');
	});
});

describe('an operation about all items at once', () => {
	test('runs once, and its outputs are linked to the input items by position', async () => {
		let runs = 0;
		const executeAll = async ({ context }: Run) => {
			runs += 1;
			return await Promise.resolve(context.getInputData().map(({ json }) => ({ got: json.n })));
		};
		const { items } = await run({ executeAll });
		expect(runs).toBe(1);
		expect(items).toEqual([1, 2, 3].map((got, index) => item(index, { got })));
	});

	test('may give several items for one, and none for another', async () => {
		const executeAll = async () => await Promise.resolve([[], { a: 1 }, [{ b: 1 }, { b: 2 }]]);
		const { items } = await run({ executeAll });
		expect(items).toEqual([item(1, { a: 1 }), item(2, { b: 1 }), item(2, { b: 2 })]);
	});

	const executeAll = async (given: Run) => await Promise.resolve(refuse(given));

	test('gives one item with the error for each input item with Continue On Fail', async () => {
		const { items, error } = await run({ executeAll }, GO_ON);
		expect(error).toBeUndefined();
		expect(items).toEqual([0, 1, 2].map(refused));
	});

	test('ends the node with the error once without it', async () => {
		const { items, error } = await run({ executeAll });
		expect(items).toEqual([]);
		expect(error).toMatchObject({ message: 'It did not work', description: 'Wait.' });
	});

	test('gives an error with Continue On Fail when the credential cannot be used', async () => {
		const { items } = await run({ executeAll }, GO_ON, { productionBaseUrl: 'nowhere' });
		expect(items).toHaveLength(3);
		expect(new Set(items.map(({ json }) => json.error)).size).toBe(1);
		expect(items[0]?.json.error).toMatch(/API Base URL/);
	});
});
