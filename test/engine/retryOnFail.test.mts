import type { INode, INodeParameters } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ActionRun } from './support/engine.mts';
import { runAction, stopExecution } from './support/engine.mts';
import type { Answer, Received } from './support/faultServer.mts';
import { by, json } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { CREATE } from './support/operations.mts';
import { beforeExecution, putIntoAgent } from './support/workflow.mts';

// n8n's Retry On Fail runs the whole node again, in the same process.

const all = ['t0', 't1', 't2', 't3', 't4'];
const created = all.map((template) => ({ requestId: `of ${template}` }));

const templateOf = ({ body }: Received) => (JSON.parse(body) as { templateId: string }).templateId;
const succeed: Answer = by((request) => json(201, { _id: `of ${templateOf(request)}` }));
const refused = json(400, { message: 'not now' });
const unknown = json(500, { message: 'half done' });

/** Creates everything, but answers the first requests for a template in a way of their own. */
function failing(template: string, ...answers: Answer[]): Answer {
	const left = [...answers];
	return by((request) => (templateOf(request) === template && left.shift()) || succeed);
}

interface Retried extends Omit<Partial<ActionRun>, 'answer' | 'settings'> {
	settings?: Partial<INode>;
}

/** Creates a request for each of five items with three tries; also the templates that were sent. */
async function create(answer: Answer, { parameters, settings, ...more }: Retried = {}) {
	const own: INodeParameters = { templateId: '={{ $json.template }}', options: { concurrency: 1 } };
	const run = await runAction({
		parameters: { ...CREATE, ...own, ...parameters },
		answer,
		input: all.map((template) => ({ template })),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1, ...settings },
		...more,
	});
	return { ...run, templates: run.requests.map(templateOf) };
}

const atOnce = { parameters: { options: { concurrency: 5 } } };
const goOn = { settings: { onError: 'continueRegularOutput' as const } };

test.each([
	['each collection request is created once, and the output is whole', {}],
	['also with several at once', atOnce],
])('%s', async (_title, more) => {
	const { json: items, error, templates } = await create(failing('t2', refused, refused), more);
	expect(error).toBeUndefined();
	expect(items).toMatchObject(created);
	const sent = ['t0', 't1', 't2', 't2', 't2', 't3', 't4'];
	expect(more === atOnce ? templates.toSorted() : templates).toEqual(sent);
});

test('one item for each participant comes out of what was created before, too', async () => {
	const participants = { participant: [{ email: 'a@example.com' }, { email: 'b@example.com' }] };
	const parameters = { output: 'participants', participants };
	const { items, sent } = await create(failing('t1', refused), { parameters });
	const pairs = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((item) => ({ pairedItem: { item } }));
	expect(items).toMatchObject(pairs);
	expect(sent).toBe(6);
});

describe('one whose outcome is unknown', () => {
	test('is not tried again: the same error comes out, and what was created is listed once', async () => {
		const { error, templates } = await create(failing('t2', unknown));
		expect(templates).toEqual(['t0', 't1', 't2']);
		expect(error).toMatchObject({
			message: matching(/may have been created anyway/),
			description: matching(/^Check whether it was created/),
		});
		const listed = error?.description?.split('Before this, 2 collection requests');
		expect(listed).toHaveLength(2);
	});

	test('lists what was created beside it, too, however early the last try ends', async () => {
		let release = () => {};
		const allArrived = new Promise<void>((resolve) => (release = resolve));
		const inTheEnd = failing('t2', unknown);
		const { error, sent } = await create((...received) => {
			if (received[2] === 4) release();
			void allArrived.then(() => inTheEnd(...received));
		}, atOnce);
		expect(sent).toBe(5);
		expect(error?.description).toContain('4 collection requests were created');
		for (const id of ['t0', 't1', 't3', 't4']) expect(error?.description).toContain(`of ${id}`);
	});

	test('does not keep the others from being created, with Continue On Fail', async () => {
		const { json: items, templates } = await create(failing('t0', unknown), goOn);
		expect(templates).toEqual(all);
		expect(items).toMatchObject([{ error: containing('') }, ...created.slice(1)]);
	});
});

test('with Continue On Fail the first item that failed is tried again, and nothing else', async () => {
	const { json: items, templates } = await create(failing('t0', refused), goOn);
	expect(items).toMatchObject(created);
	expect(templates).toEqual([...all, 't0']);
});

test('what is entered differently in each try changes nothing that exists', async () => {
	const parameters = { templateId: '={{ $json.template + "-" + Math.random() }}' };
	const answer = by((_request, index) => (index === 2 ? refused : succeed));
	const { json: items, templates } = await create(answer, { parameters });
	expect(templates.map((one) => one.slice(0, 2))).toEqual(['t0', 't1', 't2', 't2', 't3', 't4']);
	const made = templates.filter((_, index) => index !== 2).map((one) => `of ${one}`);
	expect(items.map(({ requestId }) => requestId)).toEqual(made);
});

test('after Stop between two tries nothing is sent', async () => {
	const answer: Answer = (response, ...rest) => {
		response.once('close', stopExecution);
		failing('t2', refused)(response, ...rest);
	};
	const { templates } = await create(answer, {
		input: [{ template: 't2' }, { template: 't3' }],
		settings: { waitBetweenTries: 200 },
	});
	expect(templates).toEqual(['t2']);
});

test('what was remembered goes with the execution', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	let executeData: WeakRef<object> | undefined;
	beforeExecution((context) => {
		executeData = new WeakRef(context.getExecuteData());
	});
	const count = await create(failing('t2', refused)).then(({ items }) => items.length);
	expect(count).toBe(5);
	while (executeData?.deref() !== undefined) {
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
	}
});

test('Execute Once', async () => {
	const settings = { executeOnce: true };
	const { json: items, templates } = await create(failing('t0', refused), { settings });
	expect(items).toMatchObject([{ requestId: 'of t0' }]);
	expect(templates).toEqual(['t0', 't0']);
});

test('another execution of the same items creates them anew', async () => {
	expect((await create(succeed)).templates).toEqual(all);
	expect((await create(succeed)).templates).toEqual(all);
});

test("inside an older agent, which shares its own execute data among all its tools' calls, nothing is remembered", async () => {
	putIntoAgent();
	for (const template of ['t0', 't1']) {
		const { error, templates } = await create(succeed, { input: [{ template }] });
		expect([error, templates]).toEqual([undefined, [template]]);
	}
});
