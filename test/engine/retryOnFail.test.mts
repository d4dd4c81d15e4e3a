import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { ActionRun } from './support/engine.mts';
import { runAction } from './support/engine.mts';
import type { Answer, Received } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { beforeExecution } from './support/workflow.mts';

// n8n's Retry On Fail runs the whole node again, in the same process.

const settings = (more: Partial<INode> = {}): Partial<INode> => ({
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 1,
	...more,
});

const create = (url: string, more: Partial<ActionRun> = {}, parameters: INodeParameters = {}) => ({
	parameters: {
		resource: 'collectionRequest',
		operation: 'create',
		templateId: '={{ $json.template }}',
		options: { concurrency: 1 },
		...parameters,
	},
	input: ['t0', 't1', 't2', 't3', 't4'].map((template) => ({ template })),
	credential: { productionBaseUrl: url },
	settings: settings(),
	...more,
});

const templateOf = ({ body }: Received) => (JSON.parse(body) as { templateId: string }).templateId;

/** Creates everything, but answers the first requests for a template in a way of their own. */
function failing(template: string, ...answers: Answer[]): Answer {
	const left = [...answers];
	return (response, request, index) => {
		const next = templateOf(request) === template ? left.shift() : undefined;
		if (next) return next(response, request, index);
		json(201, { _id: `of ${templateOf(request)}` })(response, request, index);
	};
}

const refused = json(400, { message: 'not now' });
const unknown = json(500, { message: 'half done' });

const templatesOf = (requests: Received[]) => requests.map(templateOf);
const all = ['t0', 't1', 't2', 't3', 't4'];

test('each collection request is created once, and the output is whole', async () => {
	await withFaultServer(failing('t2', refused, refused), async ({ url, requests }) => {
		const { json: items, error } = await runAction(create(url));
		expect(error).toBeUndefined();
		expect(items.map(({ requestId }) => requestId)).toEqual(all.map((one) => `of ${one}`));
		expect(templatesOf(requests)).toEqual(['t0', 't1', 't2', 't2', 't2', 't3', 't4']);
	});
});

test('also with several at once', async () => {
	const parameters = { options: { concurrency: 5 } };
	await withFaultServer(failing('t2', refused, refused), async ({ url, requests }) => {
		const { json: items } = await runAction(create(url, {}, parameters));
		expect(items.map(({ requestId }) => requestId)).toEqual(all.map((one) => `of ${one}`));
		expect(templatesOf(requests).toSorted()).toEqual(['t0', 't1', 't2', 't2', 't2', 't3', 't4']);
	});
});

test('one item for each participant comes out of what was created before, too', async () => {
	const participants = { participant: [{ email: 'a@example.com' }, { email: 'b@example.com' }] };
	const parameters = { output: 'participants', participants };
	await withFaultServer(failing('t1', refused), async ({ url, requests }) => {
		const { items } = await runAction(create(url, {}, parameters));
		expect(items).toHaveLength(10);
		expect(items.map(({ pairedItem }) => pairedItem)).toMatchObject(
			[0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((item) => ({ item })),
		);
		expect(requests).toHaveLength(6);
	});
});

describe('one whose outcome is unknown', () => {
	test('is not tried again: the same error comes out, and what was created is listed once', async () => {
		await withFaultServer(failing('t2', unknown), async ({ url, requests }) => {
			const { error } = await runAction(create(url));
			expect(templatesOf(requests)).toEqual(['t0', 't1', 't2']);
			expect(error?.message).toMatch(/may exist all the same/);
			const description = error?.description ?? '';
			expect(description.split('Before this, 2 collection requests')).toHaveLength(2);
			expect(description).toMatch(/^Check whether it was created/);
		});
	});

	test('lists what was created beside it, too, however early the last try ends', async () => {
		const parameters = { options: { concurrency: 5 } };
		let arrived = 0;
		let release = () => {};
		const allArrived = new Promise<void>((resolve) => (release = resolve));
		const answer: Answer = (response, request, index) => {
			arrived += 1;
			if (arrived === 5) release();
			const reply =
				templateOf(request) === 't2' ? unknown : json(201, { _id: templateOf(request) });
			void allArrived.then(() => reply(response, request, index));
		};
		await withFaultServer(answer, async ({ url, requests }) => {
			const { error } = await runAction(create(url, {}, parameters));
			expect(requests).toHaveLength(5);
			for (const id of ['t0', 't1', 't3', 't4']) expect(error?.description).toContain(id);
			expect(error?.description).toContain('4 collection requests were created');
		});
	});

	test('does not keep the others from being created, with Continue On Fail', async () => {
		const more = { settings: settings({ onError: 'continueRegularOutput' }) };
		const answer = failing('t0', unknown);
		await withFaultServer(answer, async ({ url, requests }) => {
			const { json: items } = await runAction(create(url, more));
			expect(templatesOf(requests)).toEqual(all);
			expect(items[0]).toHaveProperty('error');
			expect(items.slice(1).map(({ requestId }) => requestId)).toEqual([
				'of t1',
				'of t2',
				'of t3',
				'of t4',
			]);
		});
	});
});

test('with Continue On Fail the first item that failed is tried again, and nothing else', async () => {
	const more = { settings: settings({ onError: 'continueRegularOutput' }) };
	await withFaultServer(failing('t0', refused), async ({ url, requests }) => {
		const { json: items } = await runAction(create(url, more));
		expect(items.map(({ requestId }) => requestId)).toEqual(all.map((one) => `of ${one}`));
		expect(templatesOf(requests)).toEqual(['t0', 't1', 't2', 't3', 't4', 't0']);
	});
});

test('however often it is tried, an error whose outcome is unknown stays as it was', async () => {
	const texts: unknown[] = [];
	for (const maxTries of [2, 5]) {
		const more = { settings: settings({ maxTries }) };
		await withFaultServer(failing('t2', unknown), async ({ url, requests }) => {
			const { error } = await runAction(create(url, more));
			texts.push([error?.message, error?.description]);
			expect(templatesOf(requests)).toEqual(['t0', 't1', 't2']);
		});
	}
	expect(texts[1]).toEqual(texts[0]);
});

test('what is entered differently in each try changes nothing that exists', async () => {
	const parameters = { templateId: '={{ $json.template + "-" + Math.random() }}' };
	const answer: Answer = (response, request, index) => {
		const reply = index === 2 ? refused : json(201, { _id: `of ${templateOf(request)}` });
		reply(response, request, index);
	};
	await withFaultServer(answer, async ({ url, requests }) => {
		const { json: items } = await runAction(create(url, {}, parameters));
		const sent = templatesOf(requests);
		expect(sent.map((one) => one.slice(0, 2))).toEqual(['t0', 't1', 't2', 't2', 't3', 't4']);
		const made = sent.filter((_, index) => index !== 2).map((one) => `of ${one}`);
		expect(items.map(({ requestId }) => requestId)).toEqual(made);
	});
});

test('after Stop between two tries nothing is sent', async () => {
	let stop = () => {};
	const answer: Answer = (...received) => {
		received[0].once('close', () => stop());
		failing('t2', refused)(...received);
	};
	await withFaultServer(answer, async ({ url, requests }) => {
		const input = [{ template: 't2' }, { template: 't3' }];
		const waits = { settings: settings({ waitBetweenTries: 200 }) };
		await runAction({ ...create(url, { ...waits, input }), onStart: (cancel) => (stop = cancel) });
		expect(templatesOf(requests)).toEqual(['t2']);
	});
});

test('what was remembered goes with the execution', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	let executeData: WeakRef<object> | undefined;
	beforeExecution((context) => {
		executeData = new WeakRef(context.getExecuteData());
	});
	await withFaultServer(failing('t2', refused), async ({ url }) => {
		const { json: items } = await runAction(create(url));
		expect(items).toHaveLength(5);
	});
	beforeExecution(undefined);
	while (executeData?.deref() !== undefined) {
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
	}
});

test('Execute Once', async () => {
	const more = { settings: settings({ executeOnce: true }) };
	await withFaultServer(failing('t0', refused), async ({ url, requests }) => {
		const { json: items } = await runAction(create(url, more));
		expect(items).toMatchObject([{ requestId: 'of t0' }]);
		expect(templatesOf(requests)).toEqual(['t0', 't0']);
	});
});

test('another execution of the same items creates them anew', async () => {
	await withFaultServer(failing(''), async ({ url, requests }) => {
		await runAction(create(url));
		await runAction(create(url));
		expect(templatesOf(requests)).toEqual([...all, ...all]);
	});
});

describe("inside an older agent, which shares its own execute data among all its tools' calls", () => {
	afterEach(() => beforeExecution(undefined));

	test('nothing is remembered: a second call creates', async () => {
		const shared = { node: { name: 'AI Agent' }, data: { main: [[]] }, source: null };
		beforeExecution((context) => {
			Object.defineProperty(context, 'getExecuteData', { value: () => shared });
		});
		await withFaultServer(failing(''), async ({ url, requests }) => {
			for (const template of ['t0', 't1']) {
				const { error } = await runAction(create(url, { input: [{ template }] }));
				expect(error).toBeUndefined();
			}
			expect(templatesOf(requests)).toEqual(['t0', 't1']);
		});
	});
});
