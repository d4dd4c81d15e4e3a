import type { IDataObject, INodeParameters, IWebhookFunctions } from 'n8n-workflow';
import { once } from 'node:events';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import {
	itemOf,
	payload,
	SECRET,
	signed,
	valueOf,
	withHeader,
	type Delivery,
} from '../support/delivery.mts';
import { containing } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { json, startFaultServer } from './support/faultServer.mts';
import {
	deliver,
	hookContext,
	startTriggerHost,
	type HostOptions,
} from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const ACCEPTED = '200 accepted';
const FILTERED = '200 filtered';
const DUPLICATE = '200 duplicate';
const UNVERIFIED = '401 unverified';
const NOT_CONFIGURED = '500 not configured';
const NOT_HANDLED = '500 not handled';

const methods = new DataCollectionTrigger().webhookMethods.default;

// What it accepts and refuses under any configuration: see verify.test.mts.

test('the item is what was signed, behind its own fields', async () => {
	const own = { guestLink: 'x', notifiedAt: 'x', deliveryId: 'x' };
	const fields = payload({ ...own, unknownField: { list: [1, null, 'x'] } });
	const good = signed({ body: fields });
	const { responses, started, logged } = await deliver([good]);
	expect({ responses, logged }).toEqual({ responses: [ACCEPTED], logged: [] });
	expect(started).toEqual([itemOf(good, fields, CREDENTIAL.productionCollectUrl)]);
	expect(Object.keys(started[0] ?? {})).toEqual([
		...['event', 'requestId', 'guestLink', 'shareStatus', 'webhookIdentifier', 'timestamp'],
		...['notifiedAt', 'deliveryId', 'unknownField'],
	]);
});

test.each([
	['there is no current one', ''],
	['the current one is too short', 'short'],
])('a previous secret counts although %s', async (_title, webhookSecret) => {
	const credential = { webhookSecret, previousWebhookSecrets: SECRET };
	const { responses, started } = await deliver([signed()], { credential });
	expect(responses).toEqual([ACCEPTED]);
	expect(started).toHaveLength(1);
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
	expect([responses, started]).toEqual([[UNVERIFIED], []]);
});

test.each<[unknown, number[], string[]]>([
	[10, [-8, -12, 13], [ACCEPTED, UNVERIFIED, UNVERIFIED]],
	[0, [-365 * 86_400, 86_400], [ACCEPTED, ACCEPTED]],
	['={{ "600" }}', [-500, -700], [ACCEPTED, UNVERIFIED]],
	// An expression without a usable age neither switches the check off nor means the default.
	['={{ "off" }}', [-400, -200], [NOT_CONFIGURED, NOT_CONFIGURED]],
	['={{ undefined }}', [-200], [NOT_CONFIGURED]],
])('with Maximum Age %s, %j seconds from now are %j', async (maximumAge, offsets, expected) => {
	const sent = offsets.map((offset) => signed({ timestamp: String(Date.now() + offset * 1000) }));
	const { responses } = await deliver(sent, { parameters: { options: { maximumAge } } as never });
	expect(responses).toEqual(expected);
});

describe('Trigger On and filters', () => {
	const statusesFrom = (shareStatuses: INodeParameters[string]) => ({
		triggerOn: 'statuses',
		shareStatuses,
	});
	const statuses = (...texts: string[]) => statusesFrom(texts);
	const idsFrom = (requestIds: INodeParameters[string]) => ({ filters: { requestIds } });
	const ids = (...texts: string[]) => idsFrom(texts);
	const identifier = (wanted: string) => ({ filters: { webhookIdentifiers: [wanted] } });
	const allFrom = (expression: string) => ({ filters: `={{ ${expression} }}` });
	const option = (name: string, value: string) => ({ options: { [name]: value } });
	const anyStatus = { triggerOn: 'anyStatus' };
	const unknownEvents = { options: { unknownEvents: true } };
	const NONE = { shareStatus: null };
	const LOCKED = { event: 'share.locked' };
	const DIGITS = '650000000000000000000012';

	test.each<[string, INodeParameters, IDataObject, string]>([
		['completed, unless chosen otherwise', {}, {}, ACCEPTED],
		['open, unless chosen otherwise', {}, { shareStatus: 'open' }, FILTERED],
		['completed in capitals', {}, { shareStatus: 'COMPLETED' }, ACCEPTED],
		['open, on opened', { triggerOn: 'open' }, { shareStatus: 'open' }, ACCEPTED],
		['no status, on completed', {}, NONE, FILTERED],
		['no status, on any', anyStatus, NONE, ACCEPTED],
		['an unknown event, on any status', anyStatus, LOCKED, FILTERED],
		['an unknown event, if included', { ...anyStatus, ...unknownEvents }, LOCKED, ACCEPTED],
		['an unknown event, included but not on any status', unknownEvents, LOCKED, FILTERED],
		[
			'the same, where n8n keeps the option because an expression decides',
			{ triggerOn: '={{ "completed" }}', ...unknownEvents },
			LOCKED,
			FILTERED,
		],
		['a status among those named', statuses('open', ' Completed '), {}, ACCEPTED],
		['a status in a text with several', statuses('open, completed'), {}, ACCEPTED],
		['a status that is not named', statuses('open'), {}, FILTERED],
		['a request ID wanted', ids(' r1 '), { requestId: 'r1' }, ACCEPTED],
		['another request ID', ids('r1'), { requestId: 'r2' }, FILTERED],
		['a request ID that begins with zeros', ids('007'), { requestId: '007' }, ACCEPTED],
		['a request ID of 24 digits', ids(DIGITS), { requestId: DIGITS }, ACCEPTED],
		['an entry that was left empty', ids('r1', [] as never), { requestId: 'r1' }, ACCEPTED],
		['no identifier', identifier('x'), { webhookIdentifier: null }, FILTERED],
		['an identifier with a comma', identifier('a, b'), { webhookIdentifier: 'a, b' }, ACCEPTED],
		['statuses as one text', statusesFrom('={{ "open, completed" }}'), {}, ACCEPTED],
		['statuses as JSON', statusesFrom('={{ \'["open"]\' }}'), {}, FILTERED],
		['numbers as IDs', idsFrom('={{ [1, 42] }}'), { requestId: '42' }, ACCEPTED],
		['an expression for all filters', allFrom('({ requestIds: ["r2"] })'), {}, FILTERED],
		['one that lets it through', allFrom('({ webhookIdentifiers: "e2e" })'), {}, ACCEPTED],
	])('%s', async (_title, parameters, changes, expected) => {
		const run = await deliver([signed({ body: payload(changes) })], { parameters });
		expect(run.responses).toEqual([expected]);
		expect(run.started).toHaveLength(expected === ACCEPTED ? 1 : 0);
		const excluded = run.logged.some((line) => line.startsWith('Delivery filtered: excluded by '));
		expect(excluded).toBe(expected === FILTERED);
	});

	test.each<[string, INodeParameters, RegExp]>([
		['a list for Trigger On', { triggerOn: '={{ ["completed"] }}' }, /^Trigger On is not one of/],
		['no statuses', statusesFrom('={{ [] }}'), /^Share Statuses is empty/],
		['an object as a status', statusesFrom('={{ [{}] }}'), /^Share Statuses is not a list of/],
		['an empty list of request IDs', idsFrom('={{ [] }}'), /^Request IDs is empty/],
		['a filter whose entries were removed', ids(), /^Request IDs is empty/],
		['true as a request ID', idsFrom('={{ true }}'), /^Request IDs is not a list/],
		['an object as an identifier', identifier('={{ {} }}'), /^Webhook Identifiers/],
		['a word as Maximum Age', option('maximumAge', 'an hour'), /^Maximum Age is not a number/],
		['nothing for Include', option('include', '={{ undefined }}'), /^Include is empty/],
		['an unknown Include', option('include', '={{ ["x"] }}'), /^Include has an unknown entry/],
		['nothing for Simplify', option('simplify', '={{ null }}'), /^Simplify is empty/],
		[
			'nothing for Include Unknown Events',
			{ ...anyStatus, ...option('unknownEvents', '={{ undefined }}') },
			/^Include Unknown Events is empty/,
		],
		['a list for all filters', allFrom('["r1"]'), /^Filters is not made of known filters/],
		['another filter', allFrom('({ requestId: ["r1"] })'), /^Filters is not made of known filters/],
		['nothing for all filters', allFrom('undefined'), /^Filters is empty/],
		['an empty list among them', allFrom('({ requestIds: [] })'), /^Request IDs is empty/],
	])(
		'%s: not published, and named in the log at a delivery',
		async (_title, parameters, message) => {
			await expect(methods.create.call(hookContext({ parameters }))).rejects.toThrow(message);
			const { responses, started, logged } = await deliver([signed()], { parameters });
			expect([responses, started]).toEqual([[NOT_CONFIGURED], []]);
			const reasons = logged.map((line) => line.replace('Not configured: ', ''));
			expect(reasons).toEqual([expect.stringMatching(message)]);
		},
	);
});

test('a share status that equals the token ID is compared as it was signed, and put out hidden', async () => {
	const { responses, started } = await deliver([signed()], {
		credential: { tokenId: 'completed' },
	});
	expect(responses).toEqual([ACCEPTED]);
	expect(started).toEqual([expect.objectContaining({ shareStatus: '(hidden)' })]);
});

describe('repetitions', () => {
	test('are the same signed bytes, whatever the unsigned headers say', async () => {
		const good = signed();
		const { responses, started } = await deliver([
			good,
			good,
			withHeader(good, 'X-SVC-Delivery-Id', 'another'),
			withHeader(good, 'X-SVC-Event', 'another.event'),
			withHeader(signed(), 'X-SVC-Delivery-Id', valueOf(good, 'X-SVC-Delivery-Id')),
			signed({ body: good.body, timestamp: String(Date.now() - 1000) }),
		]);
		const first = [ACCEPTED, DUPLICATE, DUPLICATE, DUPLICATE];
		expect(responses).toEqual([...first, ACCEPTED, ACCEPTED]);
		expect(started).toHaveLength(3);
	});

	describe('are recognised for as long as they could be accepted', () => {
		const time = useVirtualTime();

		test.each<[string, INodeParameters, number, number]>([
			['the signed time is 290 s ahead, and 580 s pass', {}, 290, 580],
			['with Maximum Age 0, 23 hours pass', { options: { maximumAge: 0 } }, 0, 23 * 3600],
		])('%s', async (_title, parameters, ahead, passed) => {
			const { post } = await startTriggerHost({ parameters });
			const one = signed({ timestamp: String(time.now() + ahead * 1000) });
			expect(await post(one)).toBe(ACCEPTED);
			time.advance(passed * 1000);
			expect(await post(one)).toBe(DUPLICATE);
		});
	});

	test('20 at the same time start one execution, 50 distinct ones start 50', async () => {
		const host = await startTriggerHost();
		const send = async (deliveries: Delivery[]) =>
			(await Promise.all(deliveries.map(async (one) => await host.post(one)))).toSorted();
		const same = await send(Array<Delivery>(20).fill(signed()));
		expect(same).toEqual([ACCEPTED, ...Array<string>(19).fill(DUPLICATE)]);
		const distinct = await send(Array.from({ length: 50 }, () => signed()));
		expect(distinct).toEqual(Array(50).fill(ACCEPTED));
		expect(new Set(host.started.map(({ requestId }) => requestId)).size).toBe(51);
		expect(host.started).toHaveLength(51);
	});

	test('are accepted in production although a test in the editor has had the first', async () => {
		const settings = { id: 'tested, then published' };
		const good = signed();
		for (const mode of ['manual', 'webhook'] as const) {
			const { post } = await startTriggerHost({ mode, settings });
			expect(await post(good)).toBe(ACCEPTED);
		}
	});

	test('are accepted when n8n could not accept the first one', async () => {
		const statuses = [500, 503, 200];
		const { responses } = await deliver(Array<Delivery>(4).fill(signed()), {
			status: () => statuses.shift() ?? 200,
		});
		expect(responses).toEqual(['500 accepted', '503 accepted', ACCEPTED, DUPLICATE]);
	});

	test('of a sender that hung up before the node ran are answered, not kept waiting', async () => {
		const host = await startTriggerHost({
			prepare: async ({ incoming, response }) => {
				if (incoming.headers['x-hang-up'] === undefined) return;
				const closed = once(response, 'close');
				response.socket?.destroy();
				await closed;
			},
		});
		const good = signed();
		await expect(host.post(withHeader(good, 'X-Hang-Up', '1'))).rejects.toThrow();
		expect(await host.post(good)).toBe(DUPLICATE);
		expect(host.started).toHaveLength(1);
	});

	test('of a sender that hung up are recognised although the workflow starts a second later', async () => {
		const time = useVirtualTime();
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
		expect(await host.post(good)).toBe(DUPLICATE);
		expect(host.started).toHaveLength(1);
	});
});

// Which texts are no secrets: see test/unit/webhookSecrets.test.mts.
test.each<[string, Delivery, HostOptions]>([
	['no webhook secret', signed({ secret: '' }), { credential: { webhookSecret: '' } }],
	['no collect URL', signed(), { credential: { productionCollectUrl: '' } }],
	['no credential', signed(), { settings: { credentials: {} } }],
])('with %s, nothing is accepted, and the log says why', async (_title, sent, options) => {
	const { responses, started, logged } = await deliver([sent], options);
	expect([responses, started, logged.length]).toEqual([[NOT_CONFIGURED], [], 1]);
});

describe('activation', () => {
	test('registers nothing, because the URL travels with each create', async () => {
		await expect(methods.checkExists.call(hookContext())).resolves.toBe(false);
		await expect(methods.create.call(hookContext())).resolves.toBe(true);
		await expect(methods.delete.call(hookContext())).resolves.toBe(true);
	});

	test('is refused without a webhook secret, and says what to enter', async () => {
		const context = hookContext({ credential: { webhookSecret: '' } });
		await expect(methods.create.call(context)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message:
				'The credential has no webhook secret: enter one in the Data Collection API credential',
			description: containing('Enter a Webhook Secret'),
		});
	});

	test('is refused with a previous secret that cannot be used, although the current one can', async () => {
		const context = hookContext({ credential: { previousWebhookSecrets: 'short' } });
		const message = /^Line 1 of Previous Webhook Secrets .* is too short/;
		await expect(methods.create.call(context)).rejects.toThrow(message);
	});

	test('is refused with an address that cannot be used', async () => {
		const context = hookContext({ credential: { productionBaseUrl: 'http://api.example.com' } });
		const message = /API Base URL \(production\) must start/;
		await expect(methods.create.call(context)).rejects.toThrow(message);
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

	test.each<[string, HostOptions, string, secret?: string]>([
		['the credential cannot be read', { onRead: fails }, NOT_CONFIGURED],
		['the workflow cannot be read', replace('getWorkflow', fails), NOT_HANDLED],
		['the logger throws', brokenLog, ACCEPTED],
		['the logger throws on a refusal', brokenLog, UNVERIFIED, 'another'],
	])('%s', async (_title, options, expected, secret = SECRET) => {
		const { responses } = await deliver([signed({ secret })], options);
		expect(responses).toEqual([expected]);
	});
});
