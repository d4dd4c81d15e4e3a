import type { IDataObject, INodeParameters, IWebhookFunctions } from 'n8n-workflow';
import { once } from 'node:events';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { itemOf, payload, signed, withHeader, type Delivery } from '../support/delivery.mts';
import { matching } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { json, startFaultServer } from './support/faultServer.mts';
import {
	deliver,
	hookContext,
	startTriggerHost,
	type HostOptions,
} from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const webhookMethods = new DataCollectionTrigger().webhookMethods.default;

// Which signatures, times and bodies count: see test/unit/fuzz.test.mts. Which texts are secrets: see
// test/unit/webhookSecrets.test.mts. What is refused as Verify refuses it: see verify.test.mts.

test('the item is what was signed, behind its own fields', async () => {
	const own = { guestLink: 'x', notifiedAt: 'x', deliveryId: 'x' };
	const fields = payload({ ...own, unknownField: { list: [1, null, 'x'] } });
	const good = signed({ body: fields });
	const { responses, started, logged } = await deliver([good]);
	expect({ responses, logged }).toEqual({ responses: ['200 accepted'], logged: [] });
	expect(started).toEqual([itemOf(good, fields, CREDENTIAL.productionCollectUrl)]);
	expect(Object.keys(started[0] ?? {})).toEqual([
		...['event', 'requestId', 'guestLink', 'shareStatus', 'webhookIdentifier', 'timestamp'],
		...['notifiedAt', 'deliveryId', 'unknownField'],
	]);
});

test('a share status that equals the token ID is compared as it was signed, and output hidden', async () => {
	const { responses, started } = await deliver([signed()], {
		credential: { tokenId: 'completed' },
	});
	expect([responses, started]).toMatchObject([['200 accepted'], [{ shareStatus: '(hidden)' }]]);
});

test('a body that n8n did not keep as bytes is refused', async () => {
	const multipart = {
		rawBody: undefined,
		body: { files: { x: { filepath: '/etc/passwd' } } },
		readRawBody: () => Promise.reject(new Error('multipart')),
	};
	const { responses, started } = await deliver([signed()], {
		prepare: ({ incoming }) => void Object.assign(incoming, multipart),
	});
	expect([responses, started]).toEqual([['401 unverified'], []]);
});

test.each<[unknown, number[], string[]]>([
	[10, [-8, -12, 13], ['200 accepted', '401 unverified', '401 unverified']],
	[0, [-365 * 86_400, 86_400], ['200 accepted', '200 accepted']],
	// An expression without a usable age neither switches the check off nor means the default.
	['={{ "off" }}', [-400, -200], ['500 not configured', '500 not configured']],
])('with Maximum Age %s, %j seconds from now are %j', async (maximumAge, offsets, expected) => {
	const sent = offsets.map((offset) => signed({ timestamp: String(Date.now() + offset * 1000) }));
	const parameters = { options: { maximumAge } } as never;
	const { responses, logged } = await deliver(sent, { parameters });
	expect(responses).toEqual(expected);
	const refused = expected.filter((response) => response !== '200 accepted');
	expect(logged).toEqual(refused.map(() => matching(/Maximum Age/)));
});

describe('Trigger On and filters', () => {
	const anyStatus = { triggerOn: 'anyStatus' };
	const statuses = (shareStatuses: unknown) =>
		({ triggerOn: 'statuses', shareStatuses }) as INodeParameters;
	const ids = (requestIds: unknown) => ({ filters: { requestIds } }) as INodeParameters;
	const identifiers = (list: unknown) =>
		({ filters: { webhookIdentifiers: list } }) as INodeParameters;
	const unknownEvents = { options: { unknownEvents: true } };
	const locked = { event: 'share.locked' };
	const digits = '650000000000000000000012';

	test.each<[string, INodeParameters, IDataObject]>([
		['completed in capitals, unless chosen otherwise', {}, { shareStatus: 'COMPLETED' }],
		['open, on opened', { triggerOn: 'open' }, { shareStatus: 'open' }],
		['no status, on any', anyStatus, { shareStatus: null }],
		['an unknown event, if included', { ...anyStatus, ...unknownEvents }, locked],
		['a status among those named', statuses(['open', ' Completed ']), {}],
		['a status in a text with several', statuses(['open, completed']), {}],
		['a status in one text of an expression', statuses('={{ "open, completed" }}'), {}],
		['a request ID wanted, beside an empty entry', ids([' r1 ', []]), { requestId: 'r1' }],
		['a request ID that begins with zeros', ids(['007']), { requestId: '007' }],
		['a request ID of 24 digits', ids([digits]), { requestId: digits }],
		['numbers as IDs', ids('={{ [1, 42] }}'), { requestId: '42' }],
		['an identifier with a comma', identifiers(['a, b']), { webhookIdentifier: 'a, b' }],
		['all filters as an expression', { filters: '={{ ({ webhookIdentifiers: "e2e" }) }}' }, {}],
	])('start the workflow: %s', async (_title, parameters, changes) => {
		const run = await deliver([signed({ body: payload(changes) })], { parameters });
		expect(run).toMatchObject({ responses: ['200 accepted'], started: [{}], logged: [] });
	});

	test.each<[string, string, INodeParameters, IDataObject]>([
		['open, unless chosen otherwise', 'Trigger On', {}, { shareStatus: 'open' }],
		['no status, on completed', 'Trigger On', {}, { shareStatus: null }],
		['an unknown event, on any status', 'Trigger On', anyStatus, locked],
		[
			'an unknown event on completed, where n8n keeps the option because an expression decides',
			'Trigger On',
			{ triggerOn: '={{ "completed" }}', ...unknownEvents },
			locked,
		],
		['a status that is not named', 'Trigger On', statuses(['open']), {}],
		['a status beside those in JSON', 'Trigger On', statuses('={{ \'["open"]\' }}'), {}],
		['another request ID', 'Request IDs', ids(['r1']), { requestId: 'r2' }],
		['no identifier', 'Webhook Identifiers', identifiers(['x']), { webhookIdentifier: null }],
	])('leave out %s, and the log names %s', async (_title, field, parameters, changes) => {
		const run = await deliver([signed({ body: payload(changes) })], { parameters });
		expect([run.responses, run.started]).toEqual([['200 filtered'], []]);
		expect(run.logged[0]).toContain(`Delivery filtered: excluded by ${field} `);
	});

	const option = (name: string, value: string) => ({ options: { [name]: value } });
	test.each<[string, INodeParameters, string]>([
		['a list', { triggerOn: '={{ ["completed"] }}' }, 'Trigger On is not one of its choices: '],
		['no statuses', statuses('={{ [] }}'), 'Share Statuses is empty'],
		['a filter whose entries were removed', ids([]), 'Request IDs is empty'],
		['true as an identifier', identifiers('={{ true }}'), 'Webhook Identifiers is not a list'],
		['a word as an age', option('maximumAge', 'an hour'), 'Maximum Age is not a number'],
		['nothing for Include', option('include', '={{ undefined }}'), 'Include is empty'],
		['an unknown Include', option('include', '={{ ["x"] }}'), 'Include has an unknown entry'],
		['nothing for Simplify', option('simplify', '={{ null }}'), 'Simplify is empty'],
		[
			'nothing for unknown events',
			{ ...anyStatus, ...option('unknownEvents', '={{ undefined }}') },
			'Include Unknown Events is empty',
		],
		['a list for all filters', { filters: '={{ [] }}' }, 'Filters is not made of known filters'],
		['another filter', { filters: '={{ ({ x: 1 }) }}' }, 'Filters is not made of known filters'],
	])(
		'%s: not published, and named in the log at a delivery',
		async (_title, parameters, reason) => {
			await expect(webhookMethods.create.call(hookContext({ parameters }))).rejects.toThrow(reason);
			const { responses, started, logged } = await deliver([signed()], { parameters });
			expect([responses, started, logged.length]).toEqual([['500 not configured'], [], 1]);
			expect(logged[0]).toMatch(RegExp(`^Not configured: ${reason}`));
		},
	);
});

describe('repetitions', () => {
	const time = useVirtualTime();

	test('are the same signed bytes, whatever the unsigned headers say', async () => {
		const body = payload();
		const now = Date.now();
		const good = signed({ body, timestamp: String(now) });
		const { responses, started } = await deliver([
			good,
			good,
			withHeader(good, 'X-SVC-Delivery-Id', 'another'),
			withHeader(good, 'X-SVC-Event', 'another.event'),
			signed({ body, timestamp: String(now - 1000) }),
		]);
		const duplicate = '200 duplicate';
		expect(responses).toEqual(['200 accepted', duplicate, duplicate, duplicate, '200 accepted']);
		expect(started).toHaveLength(2);
	});

	test.each<[string, INodeParameters, ahead: number, passed: number]>([
		['the signed time is 290 s ahead, and 580 s pass', {}, 290, 580],
		['with Maximum Age 0, 23 hours pass', { options: { maximumAge: 0 } }, 0, 23 * 3600],
	])('are recognised for as long as they could be accepted: %s', async (...row) => {
		const [, parameters, ahead, passed] = row;
		const { post } = await startTriggerHost({ parameters });
		const one = signed({ timestamp: String(time.now() + ahead * 1000) });
		expect(await post(one)).toBe('200 accepted');
		time.advance(passed * 1000);
		expect(await post(one)).toBe('200 duplicate');
	});

	test('are accepted in production although a test in the editor has had the first', async () => {
		const settings = { id: 'tested, then published' };
		const good = signed();
		for (const mode of ['manual', 'webhook'] as const) {
			const { post } = await startTriggerHost({ mode, settings });
			expect(await post(good)).toBe('200 accepted');
		}
	});

	test('are accepted by each of two triggers in one workflow', async () => {
		const good = signed();
		for (const id of ['one trigger', 'another']) {
			const { post } = await startTriggerHost({ settings: { id }, workflowId: 'has two' });
			expect(await post(good)).toBe('200 accepted');
		}
	});

	test('are accepted when n8n could not accept the first one', async () => {
		const statuses = [500, 503, 200];
		const { responses } = await deliver(Array<Delivery>(4).fill(signed()), {
			status: () => statuses.shift() ?? 200,
		});
		expect(responses).toEqual(['500 accepted', '503 accepted', '200 accepted', '200 duplicate']);
	});

	test('are accepted when a filter left out the first one and was then changed', async () => {
		const settings = { id: 'its filter is changed' };
		const good = signed();
		const post = async (triggerOn: string) =>
			await (await startTriggerHost({ settings, parameters: { triggerOn } })).post(good);
		expect(await post('open')).toBe('200 filtered');
		expect(await post('completed')).toBe('200 accepted');
	});

	test('of a sender that hung up are accepted when n8n has not responded to the first one', async () => {
		const host = await startTriggerHost({
			prepare: ({ incoming, response }) => {
				if (incoming.headers['x-hang-up'] === undefined) return;
				response.socket?.destroy();
				response.end = () => response;
			},
		});
		const good = signed({ timestamp: String(time.now()) });
		await expect(host.post(withHeader(good, 'X-Hang-Up', '1'))).rejects.toThrow();
		expect(await host.post(good)).toBe('200 accepted');
	});

	test('of a sender that hung up are recognised although the workflow starts a second later', async () => {
		const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>();
		const { url } = await startFaultServer(
			(...call) => void mayRespond.then(() => json(200, { _id: 'r1' })(...call)),
		);
		const host = await startTriggerHost({
			parameters: { options: { include: ['collectionRequest'] } },
			credential: { productionBaseUrl: url },
			prepare: async ({ incoming, response }) => {
				if (incoming.headers['x-hang-up'] === undefined) return;
				const closed = once(response, 'close');
				response.socket?.destroy();
				await closed;
			},
		});
		const good = signed({ body: payload({ requestId: 'r1' }), timestamp: String(time.now()) });
		await expect(host.post(withHeader(good, 'X-Hang-Up', '1'))).rejects.toThrow();
		await time.sleep(1_000);
		respond();
		while (host.started.length === 0) await new Promise((resolve) => setImmediate(resolve));
		expect(await host.post(good)).toBe('200 duplicate');
		expect(host.started).toHaveLength(1);
	});
});

describe('activation', () => {
	test('registers nothing, because the URL travels with each create', async () => {
		await expect(webhookMethods.checkExists.call(hookContext())).resolves.toBe(false);
		await expect(webhookMethods.create.call(hookContext())).resolves.toBe(true);
		await expect(webhookMethods.delete.call(hookContext())).resolves.toBe(true);
	});

	test.each<[string, HostOptions['credential'], RegExp]>([
		['without a webhook secret', { webhookSecret: '' }, /has no webhook secret: enter one in the/],
		[
			'with a previous secret that cannot be used, although the current one can',
			{ previousWebhookSecrets: 'short' },
			/^Line 1 of Previous Webhook Secrets .* is too short/,
		],
		[
			'with an address that cannot be used',
			{ productionBaseUrl: 'http://api.example.com' },
			/API Base URL \(production\) must start/,
		],
	])('is refused %s', async (_title, credential, message) => {
		await expect(webhookMethods.create.call(hookContext({ credential }))).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: matching(message),
			description: matching(/[Ee]nter/),
		});
	});
});

describe('what fails around the node is answered, with one constant body', () => {
	const fails = () => {
		throw new Error('a stack trace, a path, a secret');
	};
	const replace = (name: keyof IWebhookFunctions, value: unknown): HostOptions => ({
		prepare: ({ context }) => void Object.defineProperty(context, name, { value }),
	});
	const brokenLog = replace('logger', { warn: fails, error: fails });
	const foreign = signed({ secret: 'a secret of another credential' });
	const noCollectUrl = { credential: { productionCollectUrl: '' } };
	const noSecret = { credential: { webhookSecret: '' } };

	test.each<[string, Delivery, HostOptions, response: string, log?: RegExp]>([
		['no collect URL', signed(), noCollectUrl, '500 not configured', /The Collect URL .* is empty/],
		['no credential', signed(), { settings: { credentials: {} } }, '500 not configured', /./],
		['no secret', signed({ secret: '' }), noSecret, '500 not configured', /no webhook secret/],
		['the credential cannot be read', signed(), { onRead: fails }, '500 not configured', /./],
		['the workflow cannot be read', signed(), replace('getWorkflow', fails), '500 not handled'],
		['the logger throws', signed(), brokenLog, '200 accepted'],
		['the logger throws on a refusal', foreign, brokenLog, '401 unverified'],
	])('%s', async (_title, sent, options, response, log = /^$/) => {
		const { responses, started, logged } = await deliver([sent], options);
		expect(responses).toEqual([response]);
		expect(started).toHaveLength(response === '200 accepted' ? 1 : 0);
		expect(logged.join('\n')).toMatch(log);
	});
});
