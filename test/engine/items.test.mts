import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ActionRun } from './support/engine.mts';
import {
	beforeExecution,
	putIntoAgent,
	runAction,
	runOk,
	stopExecution,
} from './support/engine.mts';
import { by, json, type Answer, type Received } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { CREATE } from './support/operations.mts';

const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const inputOf = (count: number) => numbersTo(count).map((n) => ({ n }));
const paired = (count: number) => numbersTo(count).map((item) => ({ pairedItem: { item } }));

const FIVE = ['t0', 't1', 't2', 't3', 't4'];
const CONTINUE_ON_FAIL = { onError: 'continueRegularOutput' as const };

const sentBody = ({ body }: Received) => JSON.parse(body) as { templateId: string };
const templateOf = (request: Received) => sentBody(request).templateId;

/** The response's ID contains the template ID, to show which request belongs to which item. */
const created = by((request) => json(201, { _id: `r-${templateOf(request)}` }));
const refused = json(422, { message: 'not now' });
const unknown = json(500, { message: 'half done' });

/** Creates everything, except that the first requests for these templates get these responses. */
const failing = (special: Record<string, Answer[]>): Answer =>
	by((request) => special[templateOf(request)]?.shift() ?? created);

/** Creates a collection request for each of five items by default; also returns the templates sent. */
async function create({ parameters, ...more }: Partial<ActionRun> = {}) {
	const run = await runAction({
		parameters: { ...CREATE, templateId: '=t{{ $json.n }}', ...parameters },
		answer: created,
		input: inputOf(5),
		...more,
	});
	return { ...run, templates: run.requests.map(templateOf) };
}

const atATime = (concurrency: number) => ({ options: { concurrency } });

/** Holds responses back until it is opened. */
function gate() {
	let open = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	const behind =
		(answer: Answer): Answer =>
		(...received) =>
			void opened.then(() => answer(...received));
	return { open, behind };
}

test('expressions are read anew for every item, and each output item is linked to its input', async () => {
	const { json: out, items, templates } = await create();
	expect(templates).toEqual(FIVE);
	expect(out.map(({ _id }) => _id)).toEqual(FIVE.map((template) => `r-${template}`));
	expect(items).toMatchObject(paired(5));
});

test('expressions inside participants and additional fields belong to their item', async () => {
	const { requests } = await create({
		parameters: {
			participants: { participant: [{ email: '=p{{ $json.n }}@example.com' }] },
			additionalFields: { webhookIdentifier: '=w{{ $json.n }}' },
		},
		input: inputOf(2),
	});
	expect(requests.map(sentBody)).toMatchObject(
		[0, 1].map((n) => ({
			participantList: [{ email: `p${n}@example.com`, isAdmin: false }],
			webhookIdentifier: `w${n}`,
		})),
	);
});

test('several items for one come in the order of the input, whichever is answered first', async () => {
	const { open, behind } = gate();
	const people = { participant: [{ name: 'a' }, { name: 'b' }] };
	const { json: out, items } = await create({
		parameters: { output: 'participants', participants: people },
		answer: by((request, index) => {
			if (index === 4) open();
			return templateOf(request) === 't0' ? behind(created) : created;
		}),
	});
	const wanted = FIVE.flatMap((template) => ['a', 'b'].map((name) => [`r-${template}`, name]));
	expect(out.map(({ requestId, name }) => [requestId, name])).toEqual(wanted);
	const pairs = numbersTo(5).flatMap((item) => [{ item }, { item }]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
});

test('without a credential the user is told to select one', async () => {
	const { error } = await create({ settings: { credentials: {} } });
	expect(error?.message).toMatch(/credentials/i);
});

test('no input items: nothing is sent and nothing comes out', async () => {
	expect(await create({ input: [] })).toMatchObject({ json: [], error: undefined, sent: 0 });
});

test.each<[string, Partial<ActionRun>, RegExp]>([
	['an unknown operation', { parameters: { operation: 'verifyMore' } }, /is not known/],
	['an unusable credential', { credential: { productionBaseUrl: 'nowhere' } }, /API Base URL/],
])('%s lets no item through: each has the error', async (_title, given, message) => {
	const settings = { onError: 'continueErrorOutput' as const };
	const { outputs, sent } = await create({ ...given, settings });
	expect(outputs).toMatchObject([[], FIVE.map(() => ({ json: { error: matching(message) } }))]);
	expect(sent).toBe(0);
});

test('an error without a message leaves by the error output, too', async () => {
	beforeExecution((context) => {
		const fails = async () => await Promise.reject(new Error(''));
		Object.defineProperty(context, 'getCredentials', { value: fails });
	});
	const { outputs } = await create({ settings: { onError: 'continueErrorOutput' } });
	const failed = { json: { error: 'NodeOperationError' } };
	expect(outputs).toMatchObject([[], FIVE.map(() => failed)]);
});

test.each(['but not really', null])(
	'a field error that the service sends with a success never looks like a failure: %j',
	async (error) => {
		const { item, sent } = await runOk({
			parameters: CREATE,
			answer: json(201, { _id: '1', error }),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(item).toMatchObject({ _id: '1', serviceError: error });
		expect(item).not.toHaveProperty('error');
		expect(sent).toBe(1);
	},
);

describe('an item fails and the node stops', () => {
	/** Sends the second response once the node has received the first. */
	function oneAfterTheOther(first: Answer, second: Answer) {
		const { open, behind } = gate();
		const early: Answer = (response, ...rest) => {
			// n8n closes the connection once it has read the response.
			response.socket?.once('close', open);
			first(response, ...rest);
		};
		return { early, late: behind(second) };
	}

	test('those under way finish, no others start, and what was created is told', async () => {
		const { early, late } = oneAfterTheOther(refused, created);
		const answer = failing({ t2: [early], t0: [late], t1: [late] });
		const run = await create({ parameters: atATime(3), input: inputOf(20), answer });
		expect([run.templates.toSorted(), run.json]).toEqual([['t0', 't1', 't2'], []]);
		expect(run.error).toMatchObject({
			message: 'The service refused the request (HTTP 422)',
			description: containing(
				'Before this, 2 collection requests were created: r-t0, r-t1. A new execution would create them again.',
			),
			context: { itemIndex: 2 },
		});
	});

	test('the failures of others are told too', async () => {
		const { early, late } = oneAfterTheOther(json(409, {}), json(503, {}));
		const answer = failing({ t0: [early], t1: [late] });
		const { error } = await create({ parameters: atATime(2), input: inputOf(9), answer });
		expect(error).toMatchObject({
			message: containing('(HTTP 409)'),
			description: containing(
				'Item 2 did not succeed either: The service is temporarily unavailable (HTTP 503). The collection request may have been created anyway.',
			),
			context: { itemIndex: 0 },
		});
	});
});

test('with Continue On Fail all items are sent once, several at a time', async () => {
	const answer = failing({ t3: [refused], t7: [unknown] });
	const more = { input: inputOf(10), answer, settings: CONTINUE_ON_FAIL };
	const run = await create({ parameters: atATime(3), ...more });
	const all = numbersTo(10).map((n) => `t${n}`);
	expect([run.error, run.templates.toSorted()]).toEqual([undefined, all]);
	const expected: unknown[] = all.map((template) => `r-${template}`);
	expected[3] = containing('422');
	expected[7] = containing('may have been created anyway');
	expect(run.json.map(({ _id, error }) => _id ?? error)).toEqual(expected);
	expect(run.items).toMatchObject(paired(10));
	expect(run.json[3]).toEqual({
		error: 'The service refused the request (HTTP 422)',
		message: containing('not now'),
	});
});

describe('the service asks for fewer requests', () => {
	test('items that hold back for long still have their whole time to be created', async () => {
		// Sent at once: while a create is under way, the pauses of other items advance virtual time.
		const busy = json(429, {}, { 'retry-after': '29' });
		const answer = by((request) => (/t[0-5]/.test(templateOf(request)) ? busy : created));
		const more = { input: inputOf(8), answer, settings: CONTINUE_ON_FAIL };
		const run = await create({ parameters: atATime(2), ...more });
		expect(run.json).toMatchObject([
			...numbersTo(6).map(() => ({ error: containing('429') })),
			{ _id: 'r-t6' },
			{ _id: 'r-t7' },
		]);
	});
});

// n8n runs the whole node again, in the same process.
describe('Retry On Fail', () => {
	const ALL_CREATED = FIVE.map((template) => ({ requestId: `r-${template}` }));

	/** The same with three tries, by default one item after the other. */
	const createRetried = async ({ parameters, settings, ...more }: Partial<ActionRun>) =>
		await create({
			parameters: { ...atATime(1), ...parameters },
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1, ...settings },
			...more,
		});

	test.each([
		['each collection request is created once, and the output is whole', 1],
		['also with several at once', 5],
	])('%s', async (_title, concurrency) => {
		const answer = failing({ t2: [refused, refused] });
		const run = await createRetried({ answer, parameters: atATime(concurrency) });
		expect(run.error).toBeUndefined();
		expect(run.json).toMatchObject(ALL_CREATED);
		const { templates } = run;
		const inOrder = concurrency === 1 ? templates : templates.toSorted();
		expect(inOrder).toEqual(['t0', 't1', 't2', 't2', 't2', 't3', 't4']);
	});

	describe('one whose outcome is unknown', () => {
		test('is not tried again: the same error comes out, and what was created is listed once', async () => {
			const { error, templates } = await createRetried({ answer: failing({ t2: [unknown] }) });
			expect(templates).toEqual(['t0', 't1', 't2']);
			expect(error).toMatchObject({
				message: matching(/may have been created anyway/),
				description: matching(/^Check whether it was created/),
			});
			const listed = error?.description?.split('Before this, 2 collection requests');
			expect(listed).toHaveLength(2);
		});

		test('lists what was created beside it, too, however early the last try ends', async () => {
			const { open, behind } = gate();
			const inTheEnd = behind(failing({ t2: [unknown] }));
			const answer = by((_request, index) => {
				if (index === 4) open();
				return inTheEnd;
			});
			const { error, sent } = await createRetried({ answer, parameters: atATime(5) });
			expect(sent).toBe(5);
			expect(error?.description).toContain('4 collection requests were created');
			for (const id of ['t0', 't1', 't3', 't4']) expect(error?.description).toContain(`r-${id}`);
		});
	});

	test.each([
		['the first item that failed is tried again, and nothing else', refused, [...FIVE, 't0']],
		['but not one whose outcome is unknown', unknown, FIVE],
	])('with Continue On Fail %s', async (_title, answer, templates) => {
		const run = await createRetried({
			answer: failing({ t0: [answer] }),
			settings: CONTINUE_ON_FAIL,
		});
		expect(run.templates).toEqual(templates);
		const [first, ...others] = ALL_CREATED;
		const failed = { error: containing('may have been created anyway') };
		expect(run.json).toMatchObject([answer === unknown ? failed : first, ...others]);
	});

	test('what was created is named when a later try cannot read the credential', async () => {
		let tries = 0;
		beforeExecution((context) => {
			tries += 1;
			const fails = async () => await Promise.reject(new Error('the database is locked'));
			if (tries > 1) Object.defineProperty(context, 'getCredentials', { value: fails });
		});
		const said = '1 collection request was created: r-t1';
		const input = inputOf(3).slice(1);
		const stopped = await createRetried({ answer: failing({ t2: [refused] }), input });
		expect(stopped.error?.description).toContain(said);
		tries = 0;
		const answer = failing({ t0: [refused] });
		const { json } = await createRetried({ answer, input: inputOf(2), settings: CONTINUE_ON_FAIL });
		expect(JSON.stringify(json)).toContain(said);
	});

	/** From the second try on, the parameter Output of this item cannot be read. */
	function loseOutputOf(lost: number): void {
		let tries = 0;
		beforeExecution((context) => {
			tries += 1;
			const read = context.getNodeParameter.bind(context) as (...args: unknown[]) => unknown;
			const fails = (name: unknown, itemIndex: unknown) => {
				if (tries > 1 && name === 'output' && itemIndex === lost)
					throw new Error('no longer there');
			};
			Object.defineProperty(context, 'getNodeParameter', {
				value: (...args: unknown[]) => (fails(args[0], args[1]), read(...args)),
			});
		});
	}

	test('what was created is named when a later try cannot read its parameters any more', async () => {
		loseOutputOf(2);
		const { error, templates } = await createRetried({ answer: failing({ t2: [refused] }) });
		expect(templates).toEqual(['t0', 't1', 't2']);
		expect(error?.message).toBe('no longer there');
		expect(error?.description).toContain('2 collection requests were created: r-t0, r-t1');
	});

	test('after Stop between two tries nothing is sent', async () => {
		const answer: Answer = (response, ...rest) => {
			response.once('close', stopExecution);
			refused(response, ...rest);
		};
		const settings = { waitBetweenTries: 200 };
		const { templates } = await createRetried({ answer, input: inputOf(2), settings });
		expect(templates).toEqual(['t0']);
	});

	test('what was remembered goes with the execution', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		let executeData: WeakRef<object> | undefined;
		beforeExecution((context) => {
			executeData = new WeakRef(context.getExecuteData());
		});
		const answer = failing({ t2: [refused] });
		const count = await createRetried({ answer }).then(({ items }) => items.length);
		expect(count).toBe(5);
		expect(executeData).toBeInstanceOf(WeakRef);
		while (executeData?.deref() !== undefined) {
			await new Promise((resolve) => setImmediate(resolve));
			collectGarbage();
		}
	});

	test('another execution of the same items creates them anew', async () => {
		expect((await createRetried({})).templates).toEqual(FIVE);
		expect((await createRetried({})).templates).toEqual(FIVE);
	});

	test("inside an older agent, which shares its own execute data among all its tools' calls, nothing is remembered", async () => {
		putIntoAgent();
		for (const n of [0, 1]) {
			const { error, templates } = await createRetried({ input: [{ n }] });
			expect([error, templates]).toEqual([undefined, [`t${n}`]]);
		}
	});
});
