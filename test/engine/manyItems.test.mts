import { beforeExecution, newExecution } from './support/engine.mts';
import { allOf, idsOf, itemsOf, LIMIT, service, wait } from './support/waitNode.mts';

// Wait, By Request ID, for thousands of input items: n8n takes up to a millisecond for each expression,
// and does nothing else meanwhile. How long it takes is in `bench/wait.mts`.

/** How often the node asks n8n for Request ID. */
function counted() {
	const asked = { times: 0 };
	beforeExecution((context) => {
		const get = context.getNodeParameter.bind(context) as (...given: unknown[]) => never;
		context.getNodeParameter = (...given: unknown[]) => {
			if (given[0] === 'requestId') asked.times += 1;
			return get(...given);
		};
	});
	return asked;
}

const named = (ids: string[], count: number) =>
	itemsOf(...Array.from({ length: count }, (_, index) => ids[index % ids.length] ?? ''));

test.each(['={{ $json.requestId }}', '={{$json["requestId"]}}'])(
	'evaluates %s once for each collection request',
	async (requestId) => {
		const asked = counted();
		const ids = idsOf(50);
		const run = await wait(service(allOf(ids, 'completed')), named(ids, 5_000), { requestId });
		expect(run.json.map((item) => item.requestId)).toEqual(ids);
		expect(asked.times).toBe(50);
	},
);

test('evaluates any other expression for each item', async () => {
	const requestId = '={{ $json.requestId + ($itemIndex % 2) }}';
	const answer = service({ a0: 'completed', a1: 'completed' });
	const execution = newExecution();
	const run = await wait(answer, named(['a'], 4), { ...LIMIT, requestId }, { execution });
	expect(run.json.map((item) => item.requestId)).toEqual(['a0', 'a1']);
});

test('stops at the first that is too much', async () => {
	const asked = counted();
	const execution = newExecution();
	const run = await wait(service({}), itemsOf(...idsOf(5_000)), {}, { execution });
	const message = 'Wait takes up to 100 collection requests at a time';
	expect(run.error).toMatchObject({ message, context: { itemIndex: 100 } });
	expect(asked.times).toBe(101);
});
