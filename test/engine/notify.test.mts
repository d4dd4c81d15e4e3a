import type { INodeParameters } from 'n8n-workflow';
import { containing, matching } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { runAction } from './support/engine.mts';
import { json } from './support/faultServer.mts';
import { runFlow, type Flow } from './support/flow.mts';
import { CREATE } from './support/operations.mts';

const LIMIT = { limitWaitTime: true, resumeAmount: 1, resumeUnit: 'hours' };
const TOOL = { type: 'n8n-nodes-data-collection.dataCollectionTool' };

/** Creates a collection request with a node after it that never runs; returns what was sent. */
async function create(later: INodeParameters | undefined, more: Partial<Flow> = {}) {
	const flow = await runFlow({
		nodes: {
			Trigger: 'trigger',
			Create: { operation: 'create', templateId: 'A', ...EMAIL },
			Nothing: 'nothing',
			...(later && { Later: { operation: 'wait', ...later } }),
		},
		edges: ['Trigger -> Create', 'Create -> Nothing', ...(later ? ['Nothing -> Later'] : [])],
		...more,
	});
	const [request] = flow.requests;
	const body = request && (JSON.parse(request.body) as Record<string, unknown>);
	const { webhookUrl, webhookSecret } = body ?? {};
	const reported = webhookUrl === undefined ? 'nothing' : 'this execution';
	const hints = flow.hintsOf('Create').map(({ message }) => message);
	return { ...flow, webhookUrl, webhookSecret, reported, hints };
}

const EMAIL = { participants: { participant: [{ email: 'ada@example.com' }] } };

describe('a Wait later in the workflow, if any', () => {
	test('gets the notifications, at a path of its own; the token stays in the query', async () => {
		const { webhookUrl, webhookSecret, hints } = await create({});
		expect(webhookUrl).toEqual(
			matching(/^http:\/\/localhost:5678\/webhook-waiting\/[^/?]+\/data-collection\?signature=.+$/),
		);
		expect(webhookSecret).toBe(CREDENTIAL.webhookSecret);
		expect(hints).toEqual([]);
	});

	test.each<[string, INodeParameters | undefined, Partial<Flow>]>([
		['there is none', undefined, {}],
		['another operation comes later', { operation: 'get' }, {}],
		['the Wait is disabled', {}, { settings: { Later: { disabled: true } } }],
	])('nothing is reported if %s', async (_title, later, more) => {
		const { reported, webhookSecret, hints } = await create(later, more);
		expect([reported, webhookSecret, hints]).toEqual(['nothing', undefined, []]);
	});

	test('as a tool it reports, because the agent decides what comes later', async () => {
		const { reported } = await create(undefined, { settings: { Create: TOOL } });
		expect(reported).toBe('this execution');
	});
});

describe('if no notification could arrive', () => {
	const noSecret = { credential: { webhookSecret: '' } };
	const isPublic = { credential: { productionBaseUrl: 'https://api.example.com' } };

	test.each([
		['without a webhook secret', noSecret, /^The credential has no webhook secret/],
		['in an n8n without a public address', isPublic, /^The service cannot reach this n8n: /],
	])('%s: an error before anything is created', async (_title, more, message) => {
		const { error, requests } = await create({}, more);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('turn on Limit Wait Time in the Wait after this node');
		expect(requests).toEqual([]);
	});

	test('but a Wait with a limit reads for itself: nothing is reported, and a hint says so', async () => {
		const { error, reported, hints } = await create(LIMIT, noSecret);
		expect([error, reported]).toEqual([undefined, 'nothing']);
		expect(hints).toEqual([containing('which reads the status only when it begins: The cred')]);
	});

	test('a limit that an expression decides on is none', async () => {
		const { error } = await create(
			{ ...LIMIT, limitWaitTime: '={{ true }}', maxDateAndTime: '2030-01-31T09:00:00' },
			noSecret,
		);
		expect(error?.message).toContain('webhook secret');
	});

	test('as a tool: nothing is reported', async () => {
		const { error, reported } = await create(undefined, {
			...noSecret,
			settings: { Create: TOOL },
		});
		expect([error, reported]).toEqual([undefined, 'nothing']);
	});
});

describe('what a Wait later in the workflow would refuse is said before anything is created', () => {
	const other = (fields: Record<string, string>): Partial<Flow> => ({
		settings: { Later: { credentials: { dataCollectionApi: { id: '2', name: 'Other' } } } },
		others: { 2: fields },
	});
	const ANOTHER = { webhookSecret: 'a webhook secret of another credential' };
	const PREVIOUS = { ...ANOTHER, previousWebhookSecrets: CREDENTIAL.webhookSecret };
	const BY_ID = { which: 'requestId', requestId: '={{ $json.requestId }}' };

	test.each([
		['another webhook secret than that of this node', ANOTHER],
		['no webhook secret', { webhookSecret: '' }],
	])('its credential has %s', async (which, fields) => {
		for (const mode of ['trigger', 'manual'] as const) {
			const { error, requests } = await create({}, { ...other(fields), mode });
			const message = `No notification can end "Later": its credential has ${which}`;
			expect([error?.message, requests]).toEqual([message, []]);
			expect(error?.description).toContain('Nothing has been created. Choose the credential');
		}
	});

	test.each([
		['with a limit', { ...LIMIT }],
		['that awaits others, perhaps', BY_ID],
	])('only a hint for one %s', async (_title, later) => {
		const { error, hints, reported } = await create(later, other(ANOTHER));
		expect([error, reported]).toEqual([undefined, 'this execution']);
		expect(hints).toEqual([containing('No notification can end "Later": its credential has an')]);
	});

	test.each<[string, Partial<Flow>]>([
		['has it as a previous secret', other(PREVIOUS)],
		['cannot be known', { ...other(ANOTHER), others: { 2: { environment: 'none' } } }],
	])('nothing if the other credential %s', async (_title, more) => {
		const { error, hints } = await create({}, more);
		expect([error, hints]).toEqual([undefined, []]);
	});

	const ROWS = ['Trigger -> Offices -> Create -> Nothing -> Later'];
	const waitFor = (numberToWaitFor: unknown, edges = ROWS, more: Partial<Flow> = {}) =>
		create(undefined, {
			rows: ['A', 'B'],
			nodes: {
				Trigger: 'trigger',
				Offices: 'rows',
				Create: { operation: 'create', templateId: '={{ $json.row }}', ...EMAIL },
				Other: { operation: 'create', templateId: 'X', ...EMAIL },
				Loop: 'loop',
				Nothing: 'nothing',
				Later: { operation: 'wait', options: { numberToWaitFor } } as never,
			},
			edges,
			...more,
		});

	test('more are to be waited for than are created', async () => {
		const { error, requests } = await waitFor(3);
		const message =
			'Number to Wait For in "Later" is 3, but the number of collection requests is 2';
		expect([error?.message, requests]).toEqual([message, []]);
	});

	test('if nothing is created because of errors, each item has its own', async () => {
		const settings = { Create: { onError: 'continueRegularOutput' } } as const;
		const nodes = {
			Trigger: 'trigger',
			Create: { operation: 'create', templateId: '={{ $json.nothing }}' },
			Later: { operation: 'wait', options: { numberToWaitFor: 2 } },
		} as const;
		const { itemsOf } = await runFlow({ nodes, edges: ['Trigger -> Create -> Later'], settings });
		const error = 'Template ID is empty';
		expect(itemsOf('Create')).toMatchObject([[{ error }]]);
	});

	test.each<[string, ...Parameters<typeof waitFor>]>([
		['that is the number', 2],
		['an expression decides', '={{ 3 }}'],
		['another Create comes before the Wait, too', 3, [...ROWS, 'Trigger -> Other -> Later']],
		[
			'it creates in a loop',
			3,
			['Trigger -> Offices -> Loop -> Later', 'Loop/1 -> Create -> Nothing -> Loop'],
		],
		['it gets items from two nodes', 3, [...ROWS, 'Trigger -> Other -> Create']],
	])('but not if %s', async (_title, ...flow) => {
		const { requests } = await waitFor(...flow);
		expect(requests.length).toBeGreaterThan(0);
	});
});

test('with the practice credential, a hint says where the guest links lead', async () => {
	const { hints } = await create(undefined, { credential: { environment: 'practice' } });
	expect(hints).toEqual([containing('lead to the practice service in this n8n and nowhere else')]);
});

test('one Wait with a limit does not excuse another without', async () => {
	const { error, requests } = await runFlow({
		nodes: {
			Trigger: 'trigger',
			Create: { operation: 'create', templateId: 'A' },
			Nothing: 'nothing',
			Limited: { operation: 'wait', limitWaitTime: true },
			Unlimited: { operation: 'wait' },
		},
		edges: ['Trigger -> Create -> Nothing -> Limited -> Unlimited'],
		credential: { webhookSecret: '' },
	});
	expect(error?.message).toMatch(/^The credential has no webhook secret/);
	expect(requests).toEqual([]);
});

describe('whether notifications can arrive', () => {
	const OWN = /^The service cannot reach the webhook URL: .* is the address of n8n's own machine$/;
	const NOTHING_ELSE = /^Template ID is empty$/;

	/** Nothing is created, because Template ID is empty. That is found out last. */
	async function addressed(host: string, service: string, environment = 'production') {
		const {
			json: items,
			hints,
			sent,
		} = await runAction({
			parameters: {
				...CREATE,
				templateId: ' ',
				notify: 'trigger',
				webhookUrl: `http://${host}/webhook/1`,
			},
			credential: { environment, productionBaseUrl: service, practiceUrl: service },
			settings: { onError: 'continueRegularOutput' },
			answer: json(200, { _id: '1' }),
		});
		expect(sent).toBe(0);
		return { error: items[0]?.error, hints: hints.map(({ message }) => message) };
	}

	test.each([
		['127.0.0.1', 'https://api.example.com'],
		['localhost:5678', 'https://service.internal/api'],
		['0.0.0.0:5678', 'https://api.example.com'],
		['n8n.localhost', 'https://api.example.com'],
	])('not at %s if the service is at %s: an error', async (host, service) => {
		expect(await addressed(host, service)).toEqual({ error: matching(OWN), hints: [] });
	});

	test.each([
		['192.168.1.20:5678', 'https://service.internal/api', 'in the same network'],
		['10.0.0.5', 'https://api.example.com', 'in the same network'],
		['[fd00::5]', 'https://203.0.113.7', 'in the same network'],
		['localhost:5678', 'https://192.168.1.30', 'on the same machine'],
	])('perhaps at %s if the service is at %s: a hint', async (host, service, where) => {
		const hint = containing(`only if the service is ${where}. If it is not: Set n8n's`);
		expect(await addressed(host, service)).toEqual({
			error: matching(NOTHING_ELSE),
			hints: [hint],
		});
	});

	test.each([
		['n8n.example.com', 'https://api.example.com', 'production'],
		['n8n.internal', 'https://service.internal', 'production'],
		['localhost:5678', 'http://localhost:4010', 'production'],
		['127.0.0.1:5678', 'http://localhost:4010', 'production'],
		['192.168.1.20:5678', 'http://127.0.0.1:4010', 'production'],
		['192.168.1.20:5678', 'https://192.168.1.30', 'production'],
	])('at %s if the service is at %s: nothing is said', async (host, service, environment) => {
		const nothing = { error: matching(NOTHING_ELSE), hints: [] };
		expect(await addressed(host, service, environment)).toEqual(nothing);
	});

	test('nothing but where the guest links lead if the practice service is at another address', async () => {
		const service = 'http://192.168.1.20:5678/webhook/practice';
		expect(await addressed('localhost:5678', service, 'practice')).toEqual({
			error: matching(NOTHING_ELSE),
			hints: [containing('The credential is set to Practice')],
		});
	});
});

describe('a Wait that is connected with Create beside another branch', () => {
	const nodes: Flow['nodes'] = {
		Trigger: 'trigger',
		Create: { operation: 'create', templateId: 'A', ...EMAIL },
		Nothing: 'nothing',
		Email: 'nothing',
		Later: { operation: 'wait' },
	};
	const BESIDE = containing('A Wait is connected with this node directly, beside another branch');

	test('may begin before anybody is emailed: a hint', async () => {
		const edges = ['Trigger -> Create', 'Create -> Later', 'Create -> Email'];
		const { hints } = await create(undefined, { nodes, edges, statuses: { A: 'completed' } });
		expect(hints).toEqual([BESIDE]);
	});

	test.each([
		['behind the email', ['Create -> Email', 'Email -> Later']],
		['the only branch', ['Create -> Later', 'Later -> Email']],
	])('%s: no hint', async (_title, edges) => {
		const flow = { nodes, edges: ['Trigger -> Create', ...edges], statuses: { A: 'completed' } };
		expect((await create(undefined, flow)).hints).toEqual([]);
	});
});
