import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ActionRun } from './support/engine.mts';
import { beforeExecution, putIntoAgent, runAction, stopExecution } from './support/engine.mts';
import { by, json, type Answer, type Received } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';

// Create for several items: template t0 for the first one, t1 for the second one, and so on. The service
// names each collection request after its template: r-t0, r-t1.

const sentBody = ({ body }: Received) => JSON.parse(body) as { templateId: string };
const templateOf = (request: Received) => sentBody(request).templateId;
const created = by((request) => json(201, { _id: `r-${templateOf(request)}` }));
const refused = json(422, { message: 'not now' });
const unknown = json(500, { message: 'half done' });

/** Creates everything, except that the first requests for these templates get these responses. */
const failing = (special: Record<string, Answer[]>): Answer =>
	by((request) => special[templateOf(request)]?.shift() ?? created);

const continueOnFail = { onError: 'continueRegularOutput' } as const;
const atATime = (concurrency: number) => ({ options: { concurrency } });

/** Creates for so many items; also returns the templates that were sent, in order. */
async function create(items: number, { parameters, ...more }: Partial<ActionRun> = {}) {
	const own = { resource: 'collectionRequest', operation: 'create', templateId: '=t{{ $json.n }}' };
	const run = await runAction({
		parameters: { ...own, ...parameters },
		answer: created,
		input: Array.from({ length: items }, (_, n) => ({ n })),
		...more,
	});
	return { ...run, templates: run.requests.map(templateOf) };
}

/** Holds responses back until it is opened. */
function gate() {
	const { promise: opened, resolve: open } = Promise.withResolvers<void>();
	const behind =
		(answer: Answer): Answer =>
		(...received) =>
			void opened.then(() => answer(...received));
	return { open, behind };
}

test('expressions, also those inside collections, are read anew for every item', async () => {
	const { requests } = await create(2, {
		parameters: {
			participants: { participant: [{ email: '=p{{ $json.n }}@example.com' }] },
			additionalFields: { webhookIdentifier: '=w{{ $json.n }}' },
		},
	});
	expect(requests.map(sentBody)).toMatchObject([
		{ templateId: 't0', participantList: [{ email: 'p0@example.com' }], webhookIdentifier: 'w0' },
		{ templateId: 't1', participantList: [{ email: 'p1@example.com' }], webhookIdentifier: 'w1' },
	]);
});

test('the output has the order of the input, whichever is answered first, and is linked to it', async () => {
	const { open, behind } = gate();
	const { items } = await create(3, {
		parameters: {
			output: 'participants',
			participants: { participant: [{ name: 'a' }, { name: 'b' }] },
		},
		answer: by((request, index) => {
			if (index === 2) open();
			return templateOf(request) === 't0' ? behind(created) : created;
		}),
	});
	expect(items).toMatchObject([
		{ json: { requestId: 'r-t0', name: 'a' }, pairedItem: { item: 0 } },
		{ json: { requestId: 'r-t0', name: 'b' }, pairedItem: { item: 0 } },
		{ json: { requestId: 'r-t1', name: 'a' }, pairedItem: { item: 1 } },
		{ json: { requestId: 'r-t1', name: 'b' }, pairedItem: { item: 1 } },
		{ json: { requestId: 'r-t2', name: 'a' }, pairedItem: { item: 2 } },
		{ json: { requestId: 'r-t2', name: 'b' }, pairedItem: { item: 2 } },
	]);
});

const failingCredential = () =>
	beforeExecution((context) => {
		const fails = async () => await Promise.reject(new Error(''));
		Object.defineProperty(context, 'getCredentials', { value: fails });
	});

test.each<[string, Partial<ActionRun>, RegExp, prepare?: () => void]>([
	['an unknown operation', { parameters: { operation: 'verifyMore' } }, /is not known/],
	['an unusable credential', { credential: { productionBaseUrl: 'nowhere' } }, /API Base URL/],
	['an error without a message', {}, /^NodeOperationError$/, failingCredential],
])(
	'%s lets no item through: each has the error',
	async (_title, given, message, prepare = () => {}) => {
		prepare();
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs, sent } = await create(2, { ...given, settings });
		const failed = { json: { error: matching(message) } };
		expect([outputs, sent]).toMatchObject([[[], [failed, failed]], 0]);
	},
);

test.each(['but not really', null])(
	'a field error that the service sends with a success never looks like a failure: %j',
	async (error) => {
		const { json: items, sent } = await create(1, {
			answer: json(201, { _id: '1', error }),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect([items, sent]).toMatchObject([[{ _id: '1', serviceError: error }], 1]);
		expect(items[0]).not.toHaveProperty('error');
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
		const run = await create(20, { parameters: atATime(3), answer });
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
		const { error } = await create(9, { parameters: atATime(2), answer });
		expect(error).toMatchObject({
			message: containing('(HTTP 409)'),
			description: containing(
				'Item 2 did not succeed either: The service is temporarily unavailable (HTTP 503). The collection request may have been created anyway.',
			),
			context: { itemIndex: 0 },
		});
	});
});

test('with Continue On Fail all items are sent once, and each failure stands in its place', async () => {
	const run = await create(5, {
		parameters: atATime(3),
		answer: failing({ t1: [refused], t3: [unknown] }),
		settings: continueOnFail,
	});
	expect([run.error, run.templates.toSorted()]).toEqual([
		undefined,
		['t0', 't1', 't2', 't3', 't4'],
	]);
	const message = containing('not now');
	expect(run.items).toMatchObject([
		{ json: { requestId: 'r-t0' }, pairedItem: { item: 0 } },
		{ json: { error: matching(/refused.*422/), message }, pairedItem: { item: 1 } },
		{ json: { requestId: 'r-t2' }, pairedItem: { item: 2 } },
		{ json: { error: containing('may have been created anyway') }, pairedItem: { item: 3 } },
		{ json: { requestId: 'r-t4' }, pairedItem: { item: 4 } },
	]);
	// n8n takes an item with more fields for a success.
	expect(Object.keys(run.json[1] ?? {})).toEqual(['error', 'message']);
});

test('items that hold back for long still have their whole time to be created', async () => {
	// Sent at once: while a create is under way, the pauses of other items advance virtual time.
	const busy = json(429, {}, { 'retry-after': '29' });
	const answer = by((request) => (/t[0-5]/.test(templateOf(request)) ? busy : created));
	const run = await create(8, { parameters: atATime(2), answer, settings: continueOnFail });
	const failed = { error: containing('429') };
	const ended = [failed, failed, failed, failed, failed, failed, { _id: 'r-t6' }, { _id: 'r-t7' }];
	expect(run.json).toMatchObject(ended);
});

// n8n runs the whole node again, in the same process.
describe('Retry On Fail', () => {
	/** Creates in three tries, by default one item after the other. */
	const createRetried = async (
		items: number,
		{ parameters, settings, ...more }: Partial<ActionRun> = {},
	) =>
		await create(items, {
			parameters: { ...atATime(1), ...parameters },
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1, ...settings },
			...more,
		});

	/** From the second try on, this function of n8n's fails for these arguments. */
	function failLater(name: string, isLost: (...args: unknown[]) => boolean): void {
		let tries = 0;
		beforeExecution((context) => {
			tries += 1;
			const isLater = tries > 1;
			const original = (context as never)[name] as (...args: unknown[]) => unknown;
			const value = (...args: unknown[]) => {
				if (isLater && isLost(...args)) throw new Error('no longer there');
				return original.apply(context, args);
			};
			Object.defineProperty(context, name, { value });
		});
	}

	test.each([
		['one after the other', 1],
		['several at once', 5],
	])('%s: each is created once, and the output is whole', async (_title, concurrency) => {
		const run = await createRetried(4, {
			answer: failing({ t2: [refused, refused] }),
			parameters: atATime(concurrency),
		});
		const out = ['r-t0', 'r-t1', 'r-t2', 'r-t3'];
		expect([run.error, run.json.map(({ requestId }) => requestId)]).toEqual([undefined, out]);
		expect(run.templates.toSorted()).toEqual(['t0', 't1', 't2', 't2', 't2', 't3']);
	});

	test('one whose outcome is unknown is not tried again: the same error comes out', async () => {
		const { error, templates } = await createRetried(4, { answer: failing({ t2: [unknown] }) });
		expect(templates).toEqual(['t0', 't1', 't2']);
		expect(error).toMatchObject({
			message: matching(/may have been created anyway/),
			description: matching(/^Check whether it was created/),
		});
		// Listed once, although the error has been thrown three times.
		expect(error?.description?.split('Before this, 2 collection requests')).toHaveLength(2);
	});

	test('what was created beside one whose outcome is unknown is listed, however early the last try ends', async () => {
		const { open, behind } = gate();
		const inTheEnd = behind(failing({ t1: [unknown] }));
		const answer = by((_request, index) => {
			if (index === 2) open();
			return inTheEnd;
		});
		const { error, sent } = await createRetried(3, { answer, parameters: atATime(3) });
		const listed = /Before this, 2 collection requests were created: (r-t0, r-t2|r-t2, r-t0)\./;
		expect([sent, error?.description]).toEqual([3, matching(listed)]);
	});

	test.each([
		['the first item that failed is tried again, and nothing else', refused, ['t0', 't1', 't0']],
		['but not one whose outcome is unknown', unknown, ['t0', 't1']],
	])('with Continue On Fail %s', async (_title, answer, templates) => {
		const settings = continueOnFail;
		const run = await createRetried(2, { answer: failing({ t0: [answer] }), settings });
		const doubt = { error: containing('may have been created anyway') };
		const first = answer === unknown ? doubt : { requestId: 'r-t0' };
		expect([run.templates, run.json]).toMatchObject([templates, [first, { requestId: 'r-t1' }]]);
	});

	const cannotReadOutput = (name: unknown, itemIndex: unknown) =>
		name === 'output' && itemIndex === 1;
	test.each<[string, Partial<ActionRun>, () => void]>([
		['the credential', {}, () => failLater('getCredentials', () => true)],
		[
			'the credential, with Continue On Fail',
			{ settings: continueOnFail, answer: failing({ t0: [refused] }), input: [{ n: 0 }, { n: 2 }] },
			() => failLater('getCredentials', () => true),
		],
		['its parameters', {}, () => failLater('getNodeParameter', cannotReadOutput)],
	])('what was created is named when a later try cannot read %s', async (_what, more, lose) => {
		lose();
		const run = await createRetried(2, { answer: failing({ t1: [refused] }), ...more });
		const said = JSON.stringify([run.error?.description, run.json]);
		expect(said).toMatch(/1 collection request was created: r-t[02]\./);
	});

	test('the parameters of what was created are not read again', async () => {
		failLater('getNodeParameter', (name, itemIndex) => name === 'output' && itemIndex === 0);
		const { error, json } = await createRetried(2, { answer: failing({ t1: [refused] }) });
		expect([error, json]).toMatchObject([undefined, [{ _id: 'r-t0' }, { _id: 'r-t1' }]]);
	});

	test('after Stop between two tries nothing is sent', async () => {
		const answer: Answer = (response, ...rest) => {
			response.once('close', stopExecution);
			refused(response, ...rest);
		};
		const { templates } = await createRetried(2, { answer, settings: { waitBetweenTries: 200 } });
		expect(templates).toEqual(['t0']);
	});

	test('what was remembered goes with the execution', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		let executeData: WeakRef<object> | undefined;
		beforeExecution((context) => {
			executeData = new WeakRef(context.getExecuteData());
		});
		const count = await createRetried(2).then(({ items }) => items.length);
		expect([count, executeData]).toEqual([2, expect.any(WeakRef)]);
		while (executeData?.deref() !== undefined) {
			await new Promise((resolve) => setImmediate(resolve));
			collectGarbage();
		}
	});

	test.each([
		['another execution of the same items creates them anew', () => {}],
		[
			"inside an older agent, which shares its own execute data among all its tools' calls, nothing is remembered",
			() => void putIntoAgent(),
		],
	])('%s', async (_title, prepare) => {
		prepare();
		for (let execution = 1; execution <= 2; execution += 1) {
			const { error, templates } = await createRetried(1);
			expect([error, templates]).toEqual([undefined, ['t0']]);
		}
	});
});
