import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { EventEmitter, once } from 'node:events';
import type { Operation, Resource, Run } from '../../nodes/DataCollection/actions/operation.ts';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { runAction } from './support/engine.mts';

/** The node's own share resource, which has one more operation while a test runs. */
const share = resources.share as Record<string, Resource[string]>;
const NAME = 'ofTheTest';

afterEach(() => delete share[NAME]);

/** An operation of the test has no parameters. */
const description: INodeProperties[] = [];

const THREE = [{ n: 1 }, { n: 2 }, { n: 3 }];

type Settings = NonNullable<Parameters<typeof runAction>[0]['settings']>;

/** Runs the node with an operation of the test's own, for three items. */
async function run(operation: Operation, settings?: Settings) {
	share[NAME] = operation;
	const parameters = { resource: 'share', operation: NAME };
	const { items, error } = await runAction({ parameters, input: THREE, settings });
	return { items: items.map(({ json, pairedItem }) => ({ json, pairedItem })), error };
}

const GO_ON: Settings = { onError: 'continueRegularOutput' };

const item = (itemIndex: number, json: IDataObject) => ({ json, pairedItem: { item: itemIndex } });

const refuse = ({ context }: Run) => {
	throw new NodeOperationError(context.getNode(), 'It did not work', { description: 'Wait.' });
};

describe('an operation that returns a list', () => {
	/** As many entries as the item's number says, none for the second. */
	const list = async (_run: Run, itemIndex: number) =>
		await Promise.resolve(
			itemIndex === 1 ? [] : THREE.slice(0, itemIndex + 1).map(({ n }) => ({ of: itemIndex, n })),
		);
	const EXPECTED = [
		item(0, { of: 0, n: 1 }),
		item(2, { of: 2, n: 1 }),
		item(2, { of: 2, n: 2 }),
		item(2, { of: 2, n: 3 }),
	];

	test.each<[string, Settings]>([
		['', {}],
		[', with Continue On Fail', GO_ON],
	])('gives an item for each entry, none for an empty list%s', async (_title, settings) => {
		const { items, error } = await run({ description, execute: list }, settings);
		expect(error).toBeUndefined();
		expect(items).toEqual(EXPECTED);
	});

	test('gives nothing at all when every list is empty', async () => {
		const { items, error } = await run({
			description,
			execute: async () => await Promise.resolve([]),
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});

	test('keeps the order of the input, whichever item is ready first', async () => {
		const done: number[] = [];
		const ends = new EventEmitter();
		const execute = async (_run: Run, itemIndex: number) => {
			// Each waits for the one after it.
			if (itemIndex < 2) await once(ends, String(itemIndex + 1));
			done.push(itemIndex);
			ends.emit(String(itemIndex));
			return [
				{ of: itemIndex, n: 1 },
				{ of: itemIndex, n: 2 },
			];
		};
		const { items } = await run({ description, execute });
		expect(done).toEqual([2, 1, 0]);
		expect(items).toEqual(
			[0, 1, 2].flatMap((of) => [item(of, { of, n: 1 }), item(of, { of, n: 2 })]),
		);
	});

	test('gives one item with the error for an input item that fails, between the others', async () => {
		const execute = async (given: Run, itemIndex: number) =>
			itemIndex === 0 ? refuse(given) : await list(given, itemIndex);
		const { items } = await run({ description, execute }, GO_ON);
		const failed = item(0, { error: 'It did not work', message: 'Wait.' });
		expect(items).toEqual([failed, ...EXPECTED.slice(1)]);
	});

	test('names each request that it created once in the error, however many items it gave', async () => {
		const execute = async (given: Run, itemIndex: number) => {
			if (itemIndex === 2) return refuse(given);
			given.created.add(`r${itemIndex}`);
			return await Promise.resolve([{ n: 1 }, { n: 2 }]);
		};
		const { error, items } = await run({ description, execute });
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
		const { items } = await run({ description, executeAll });
		expect(runs).toBe(1);
		expect(items).toEqual([1, 2, 3].map((got, index) => item(index, { got })));
	});

	test('may give several items for one, and none for another', async () => {
		const executeAll = async () => await Promise.resolve([[], { a: 1 }, [{ b: 1 }, { b: 2 }]]);
		const { items } = await run({ description, executeAll });
		expect(items).toEqual([item(1, { a: 1 }), item(2, { b: 1 }), item(2, { b: 2 })]);
	});

	const executeAll = async (given: Run) => await Promise.resolve(refuse(given));

	test('gives one item with the error for each input item with Continue On Fail', async () => {
		const { items, error } = await run({ description, executeAll }, GO_ON);
		expect(error).toBeUndefined();
		const failed = { error: 'It did not work', message: 'Wait.' };
		expect(items).toEqual([0, 1, 2].map((index) => item(index, failed)));
	});

	test('ends the node with the error once without it', async () => {
		const { items, error } = await run({ description, executeAll });
		expect(items).toEqual([]);
		expect(error).toMatchObject({ message: 'It did not work', description: 'Wait.' });
	});

	test('gives an error with Continue On Fail when the credential cannot be used', async () => {
		share[NAME] = { description, executeAll };
		const { json } = await runAction({
			parameters: { resource: 'share', operation: NAME },
			input: THREE,
			credential: { productionBaseUrl: 'nowhere' },
			settings: GO_ON,
		});
		expect(json).toHaveLength(3);
		expect(new Set(json.map(({ error }) => error)).size).toBe(1);
		expect(json[0]?.error).toMatch(/API Base URL/);
	});
});
