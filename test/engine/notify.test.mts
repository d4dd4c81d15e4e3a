import type { INode, INodeParameters } from 'n8n-workflow';
import { containing, matching } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { assertWaitsCanBegin } from '../../nodes/DataCollection/actions/collectionRequest/laterWaits.ts';
import { beforeExecution, runAction } from './support/engine.mts';
import { runFlow, type Flow } from './support/flow.mts';

const participants = { participant: [{ email: 'ada@example.com' }] };
const createA = { operation: 'create', templateId: 'A', participants };

/** Creates, with this node after it, which never runs; returns what was sent and what was said. */
async function create(later: INodeParameters | undefined, more: Partial<Flow> = {}) {
	const flow = await runFlow({
		nodes: {
			Trigger: 'trigger',
			Create: createA,
			Nothing: 'nothing',
			...(later && { Later: { operation: 'wait', ...later } }),
		},
		edges: ['Trigger -> Create', 'Create -> Nothing', ...(later ? ['Nothing -> Later'] : [])],
		...more,
	});
	const [request] = flow.requests;
	const body = request && (JSON.parse(request.body) as Record<string, unknown>);
	return {
		...body,
		isSent: request !== undefined,
		isReported: body?.webhookUrl !== undefined,
		error: flow.error?.message,
		advice: flow.error?.description,
		hints: flow.hintsOf('Create').map(({ message }) => message),
	};
}

const asTool = { settings: { Create: { type: 'n8n-nodes-data-collection.dataCollectionTool' } } };
const limit = { limitWaitTime: true, resumeAmount: 1, resumeUnit: 'hours' };
const noSecret = { credential: { webhookSecret: '' } };

test('a Wait later gets the notifications, at a path of its own; the token stays in the query', async () => {
	const path = /^http:\/\/localhost:5678\/webhook-waiting\/[^/?]+\/data-collection\?signature=.+$/;
	expect(await create({})).toMatchObject({
		webhookUrl: matching(path),
		webhookSecret: CREDENTIAL.webhookSecret,
		hints: [],
	});
});

test.each<[string, boolean, INodeParameters | undefined, Partial<Flow>?]>([
	['no Wait comes later', false, undefined],
	['another operation comes later', false, { operation: 'get' }],
	['the Wait is disabled', false, {}, { settings: { Later: { disabled: true } } }],
	['it is a tool, and the agent decides what comes later', true, undefined, asTool],
])('if %s, status changes are reported: %s', async (_title, isReported, later, more = {}) => {
	const expected = { isSent: true, isReported, error: undefined, hints: [] };
	expect(await create(later, more)).toMatchObject(expected);
});

describe('if no notification could arrive', () => {
	const isPublic = { credential: { productionBaseUrl: 'https://api.example.com' } };
	const byExpression = { limitWaitTime: '={{ true }}', maxDateAndTime: '2030-01-31T09:00:00' };

	test.each<[string, INodeParameters, Partial<Flow>, RegExp]>([
		['no webhook secret', {}, noSecret, /^The credential has no webhook secret/],
		['no public address', {}, isPublic, /^The service cannot reach this n8n: /],
		['a limit that an expression decides on is none', byExpression, noSecret, /webhook secret/],
	])('an error before anything is created: %s', async (_title, later, more, message) => {
		expect(await create(later, more)).toMatchObject({
			isSent: false,
			error: matching(message),
			advice: containing('turn on Limit Wait Time in the Wait after this node'),
		});
	});

	test.each<[string, INodeParameters | undefined, Partial<Flow>]>([
		['a Wait with a limit reads for itself', limit, noSecret],
		['a tool may be followed by no Wait', undefined, { ...asTool, ...noSecret }],
	])('%s: nothing is reported, and a hint says so', async (_title, later, more = {}) => {
		expect(await create(later, more)).toMatchObject({
			isReported: false,
			error: undefined,
			hints: [containing('which reads the status only when it begins: The cred')],
		});
	});

	test.each(['Limited -> Unlimited', 'Unlimited -> Limited'])(
		'one Wait with a limit does not excuse another without: %s',
		async (waits) => {
			const nodes = {
				Trigger: 'trigger',
				Create: createA,
				Nothing: 'nothing',
				Limited: { operation: 'wait', limitWaitTime: true },
				Unlimited: { operation: 'wait' },
			} as const;
			const edges = [`Trigger -> Create -> Nothing -> ${waits}`];
			const message = matching(/^The credential has no webhook secret/);
			const outcome = await create(undefined, { ...noSecret, nodes, edges });
			expect(outcome).toMatchObject({ isSent: false, error: message });
		},
	);
});

describe('another credential', () => {
	const other = { credentials: { dataCollectionApi: { id: '2', name: 'Other' } } };
	const unknown = { credentials: { dataCollectionApi: { id: null, name: 'Other' } } };
	const wrong =
		'"Later" has another credential than this node: "Other" instead of "Data Collection account"';
	const byRequestId = { which: 'requestId', requestId: '={{ $json.requestId }}' };

	test.each<[string, INodeParameters, Partial<Flow>?]>([
		['that waits for what has been created', {}],
		['in the editor', {}, { mode: 'manual' }],
		['with a limit', limit],
		['behind another Wait that has it', {}, { edges: ['Trigger -> Create -> First -> Later'] }],
		[
			'before another Wait that has the right one',
			{},
			{ edges: ['Trigger -> Create -> Later -> First'], settings: { Later: other } },
		],
	])(
		'in a later Wait is an error before anything is created: %s',
		async (_title, later, more = {}) => {
			const nodes = {
				Trigger: 'trigger',
				Create: createA,
				Nothing: 'nothing',
				First: { operation: 'wait', ...byRequestId },
				Later: { operation: 'wait', ...later },
			} as const;
			const settings = { First: other, Later: other };
			expect(await create(later, { nodes, settings, ...more })).toMatchObject({
				isSent: false,
				error: wrong,
				advice: matching(/^Nothing has been created\. Choose the same one in both nodes/),
			});
		},
	);

	const sendTest = { resource: 'notification', operation: 'sendTest', webhookUrl: 'http://x' };
	const getAnswers = { resource: 'share', operation: 'getAnswers', shareId: 's1' };
	const named = [containing('which has "Data Collection account": "Later" has "Other". ')];

	test.each<[string, INodeParameters, Partial<INode>, unknown[]]>([
		['a Wait by request ID', byRequestId, other, named],
		['a Wait for what an expression says', { which: '={{ "created" }}' }, other, named],
		['another operation', getAnswers, other, named],
		['another Create', createA, other, named],
		['a disabled Wait', {}, { ...other, disabled: true }, []],
		['a test notification', sendTest, other, []],
		['n8n does not say which one it is', {}, unknown, []],
	])('in a later node is a hint at most: %s', async (_title, later, settings, hints) => {
		const expected = { isSent: true, error: undefined, hints };
		expect(await create(later, { settings: { Later: settings } })).toMatchObject(expected);
	});

	const twoCreates = async (path: string, settings: Flow['settings'] = allOther) =>
		await create(undefined, {
			nodes: {
				Trigger: 'trigger',
				Create: createA,
				Nothing: 'nothing',
				First: { operation: 'wait' },
				Again: createA,
				Later: { operation: 'wait' },
				Answers: getAnswers,
			},
			settings,
			edges: [path],
		});
	const allOther = { Again: other, Later: other, Answers: other };

	test('in a later Wait for what another Create has created is none, once this one is done', async () => {
		const hints = [containing('which has "Data Collection account": "Again" has "Other". ')];
		const path = 'Trigger -> Create -> Nothing -> First -> Again -> Later -> Answers';
		expect(await twoCreates(path)).toMatchObject({ isSent: true, error: undefined, hints });
	});

	test('in a later node is a hint, too, if another Create before it has the same as this one', async () => {
		const hints = [containing('which has "Data Collection account": "Answers" has "Other". ')];
		const path = 'Trigger -> Create -> Nothing -> Again -> Answers';
		expect(await twoCreates(path, { Answers: other })).toMatchObject({ isSent: true, hints });
	});

	test('in a later Wait for what both have created is an error', async () => {
		const path = 'Trigger -> Create -> Nothing -> Again -> Later -> Answers';
		expect(await twoCreates(path)).toMatchObject({ isSent: false, error: wrong });
	});
});

describe("a later Wait whose only connected output is Time's Up", () => {
	const after = async (later: INodeParameters, edges: string[]) => {
		const nodes = {
			Trigger: 'trigger',
			Create: createA,
			Nothing: 'nothing',
			Later: { operation: 'wait', ...later },
			Last: 'nothing',
		} as const;
		return await create(undefined, {
			nodes,
			edges: ['Trigger -> Create -> Nothing -> Later', ...edges],
		});
	};
	const message =
		'Nothing would ever leave "Later": only its output Time\'s Up is connected, and Limit Wait Time is off';

	test('is an error before anything is created', async () => {
		expect(await after({}, ['Later/1 -> Last'])).toMatchObject({
			isSent: false,
			error: message,
			advice: 'Nothing has been created. Connect the next node with Done of "Later".',
		});
	});

	test.each<[string, INodeParameters, string[]]>([
		['the limit is on', limit, ['Later/1 -> Last']],
		[
			'an expression decides on it',
			{ limitWaitTime: '={{ true }}', maxDateAndTime: '2030-01-31T09:00:00' },
			['Later/1 -> Last'],
		],
		['Done is connected, too', {}, ['Later -> Last', 'Later/1 -> Last']],
		['nothing is connected', {}, []],
	])('is none if %s', async (_title, later, edges) => {
		expect(await after(later, edges)).toMatchObject({ isSent: true, error: undefined });
	});
});

describe('more than a later Wait takes', () => {
	const createAll = async (count: number, path: string, first: INodeParameters = {}) =>
		await create(undefined, {
			rows: Array.from({ length: count }, (_, index) => `A${index}`),
			nodes: {
				Trigger: 'trigger',
				Create: { ...createA, templateId: '={{ $json.row }}', notify: 'none' },
				Nothing: 'nothing',
				First: { operation: 'wait', ...first },
				Later: { operation: 'wait' },
			},
			edges: [`Trigger -> Rows -> Create -> Nothing -> ${path}`],
		});

	test('is an error before anything is created', async () => {
		expect(await createAll(1_001, 'Later')).toMatchObject({
			isSent: false,
			error: '"Later" takes up to 1,000 collection requests at a time, but the number is 1001',
			advice: matching(/^Nothing has been created\. For more, .* Then remove "Later"\./),
		});
	});

	test.each<[string, number, string, INodeParameters?]>([
		['that is the maximum', 1_000, 'Later'],
		['the Wait is by request ID', 1_001, 'First', { which: 'requestId' }],
		['one by request ID comes before it', 1_001, 'First -> Later', { which: 'requestId' }],
	])('is no error if %s', async (_title, count, ...flow) => {
		// To create so many takes a while, and the check comes before it.
		beforeExecution((context) => {
			if (context.getNode().name !== 'Create') return;
			assertWaitsCanBegin({ context, hint: () => {} } as never, count);
		});
		expect(await createAll(1, ...flow)).toMatchObject({ isSent: true, error: undefined });
	});
});

describe('more to wait for in a later Wait than is created', () => {
	const rowByRow = ['Trigger -> Offices -> Create -> Nothing -> Later'];
	const waitFor = async (numberToWaitFor: unknown, edges = rowByRow, more: Partial<Flow> = {}) =>
		await create(undefined, {
			rows: ['A', 'B'],
			nodes: {
				Trigger: 'trigger',
				Offices: 'rows',
				Create: { ...createA, templateId: '={{ $json.row }}' },
				Other: createA,
				Loop: 'loop',
				Nothing: 'nothing',
				Later: { operation: 'wait', options: { numberToWaitFor } } as never,
			},
			edges,
			...more,
		});

	test('is an error before anything is created', async () => {
		const error = 'Number to Wait For in "Later" is 3, but the number of collection requests is 2';
		expect(await waitFor(3)).toMatchObject({ isSent: false, error });
	});

	test('is none if nothing is created because of errors: each item has its own', async () => {
		const { itemsOf } = await runFlow({
			nodes: {
				Trigger: 'trigger',
				Create: { operation: 'create', templateId: '={{ $json.nothing }}' },
				Later: { operation: 'wait', options: { numberToWaitFor: 2 } },
			},
			edges: ['Trigger -> Create -> Later'],
			settings: { Create: { onError: 'continueRegularOutput' } },
		});
		expect(itemsOf('Create')).toMatchObject([[{ error: 'Template ID is empty' }]]);
	});

	const inLoop = ['Trigger -> Offices -> Loop -> Later', 'Loop/1 -> Create -> Nothing -> Loop'];
	test.each<[string, ...Parameters<typeof waitFor>]>([
		['that is the number', 2],
		['an expression decides', '={{ 3 }}'],
		['another Create comes before the Wait, too', 3, [...rowByRow, 'Trigger -> Other -> Later']],
		['it creates in a loop', 3, inLoop],
		['it gets items from two nodes', 3, [...rowByRow, 'Trigger -> Rows -> Create']],
	])('is no error if %s', async (_title, ...flow) => {
		expect(await waitFor(...flow)).toMatchObject({ isSent: true });
	});
});

describe('whether notifications reach the address of a trigger', () => {
	/** Nothing is created, because Template ID is empty. That is found out last. */
	async function addressed(host: string, service: string, environment: string) {
		const { json: items, hints } = await runAction({
			parameters: {
				resource: 'collectionRequest',
				operation: 'create',
				templateId: ' ',
				notify: 'trigger',
				webhookUrl: `http://${host}/webhook/1`,
			},
			credential: { environment, productionBaseUrl: service, practiceUrl: service },
			settings: { onError: 'continueRegularOutput' },
		});
		return { error: items[0]?.error, hints: hints.map(({ message }) => message) };
	}
	const unreachable =
		/^The service cannot reach the webhook URL: .* is the address of n8n's own machine$/;
	const onlyIn = (where: string) => [
		containing(`only if the service is ${where}. If it is not: Set n8n's`),
	];
	const practice = [containing('The credential is set to Practice')];

	test.each<[host: string, service: string, string, hints?: unknown[], error?: RegExp]>([
		['127.0.0.1', 'https://api.example.com', 'an error', [], unreachable],
		['localhost:5678', 'https://service.internal/api', 'an error', [], unreachable],
		['0.0.0.0:5678', 'https://api.example.com', 'an error', [], unreachable],
		['192.168.1.20:5678', 'https://service.internal/api', 'a hint', onlyIn('in the same network')],
		['[fd00::5]', 'https://203.0.113.7', 'a hint', onlyIn('in the same network')],
		['localhost:5678', 'https://192.168.1.30', 'a hint', onlyIn('on the same machine')],
		['n8n.example.com', 'https://api.example.com', 'nothing'],
		['n8n.internal', 'https://service.internal', 'nothing'],
		['127.0.0.1:5678', 'http://localhost:4010', 'nothing'],
		['192.168.1.20:5678', 'http://127.0.0.1:4010', 'nothing'],
		['192.168.1.20:5678', 'https://192.168.1.30', 'nothing'],
		['localhost:5678', 'http://192.168.1.20:5678/webhook/practice', 'where it leads', practice],
	])('from %s, with the service at %s: %s', async (host, service, _what, hints = [], error) => {
		const environment = hints === practice ? 'practice' : 'production';
		expect(await addressed(host, service, environment)).toEqual({
			error: matching(error ?? /^Template ID is empty$/),
			hints,
		});
	});
});

test('with the practice credential, a hint says where the guest links lead', async () => {
	const { hints } = await create(undefined, { credential: { environment: 'practice' } });
	expect(hints).toEqual([containing('lead to the practice service in this n8n and nowhere else')]);
});

test.each([
	['beside the email: a hint', ['Create -> Later', 'Create -> Email'], true],
	['behind the email: no hint', ['Create -> Email', 'Email -> Later'], false],
	['as the only branch: no hint', ['Create -> Later', 'Later -> Email'], false],
])('a Wait may begin before anybody is emailed if it is connected %s', async (...row) => {
	const [, edges, isHint] = row;
	const { hints } = await create(undefined, {
		nodes: {
			Trigger: 'trigger',
			Create: createA,
			Email: 'nothing',
			Later: { operation: 'wait' },
		},
		edges: ['Trigger -> Create', ...edges],
		statuses: { A: 'completed' },
	});
	const hint = containing('A Wait is connected with this node directly, beside another branch');
	expect(hints).toEqual(isHint ? [hint] : []);
});
