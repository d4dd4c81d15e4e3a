import { once } from 'node:events';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_BLANKING_VALUE, CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import type { Delivery } from './support/delivery.mts';
import { delivery, notification, sign, withHeaders } from './support/delivery.mts';
import { textOf } from './support/matchers.mts';
import type { HostOptions } from './support/triggerHost.mts';
import { startTriggerHost } from './support/triggerHost.mts';

const ACCEPTED = { status: 200, text: '{"status":"accepted"}' };
const FILTERED = { status: 200, text: '{"status":"filtered"}' };
const DUPLICATE = { status: 200, text: '{"status":"duplicate"}' };
const MALFORMED = { status: 400, text: '{"status":"malformed"}' };
const UNVERIFIED = { status: 401, text: '{"status":"unverified"}' };
const TOO_LARGE = { status: 413, text: '{"status":"too large"}' };
const NOT_CONFIGURED = { status: 500, text: '{"status":"not configured"}' };

/** Sends deliveries one after the other; what was answered, and what was started. */
async function send(deliveries: Delivery[], options: HostOptions = {}) {
	const host = await startTriggerHost(options);
	const answers = [];
	for (const each of deliveries) {
		const { status, text, headers } = await host.post(each);
		expect(headers['content-type']).toBe('application/json');
		answers.push({ status, text });
	}
	await host.stop();
	expect(host.thrown).toEqual([]);
	return { answers, started: host.started, logged: host.logged };
}

/** Sends one delivery. */
async function sendOne(one: Delivery, options?: HostOptions) {
	const { answers, ...rest } = await send([one], options);
	return { answer: answers[0], ...rest };
}

describe('an accepted delivery', () => {
	test('starts the workflow with the payload, the delivery ID and the guest link', async () => {
		const payload = notification({ unknownField: { list: [1, null, 'x'] } });
		const good = delivery(payload);
		const { answer, started, logged } = await sendOne(good);
		expect(answer).toEqual(ACCEPTED);
		expect(started).toEqual([
			{
				...payload,
				notifiedAt: new Date(Number(payload.timestamp)).toISOString(),
				deliveryId: good.headers['x-svc-delivery-id'],
				guestLink: `${CREDENTIAL.productionCollectUrl}/request/${textOf(payload.requestId)}`,
			},
		]);
		expect(logged).toEqual([]);
	});

	test('may be stamped in seconds, micro- or nanoseconds', async () => {
		const now = Date.now();
		const stamps = [String(Math.floor(now / 1000)), `${now}000`, `${now}000000`];
		const { answers, started } = await send(
			stamps.map((timestamp) => delivery(notification(), { timestamp })),
		);
		expect(answers).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
		expect(started).toHaveLength(3);
	});

	test('needs no event header, and an event header of its own changes nothing', async () => {
		const { answers, started } = await send([
			withHeaders(delivery(), { 'x-svc-event': undefined }),
			withHeaders(delivery(), { 'x-svc-event': 'another.event' }),
		]);
		expect(answers).toEqual([ACCEPTED, ACCEPTED]);
		expect(started.map(({ event }) => event)).toEqual(Array(2).fill('collection_request.updated'));
	});

	test('without a delivery ID has null', async () => {
		const { started } = await sendOne(withHeaders(delivery(), { 'x-svc-delivery-id': undefined }));
		expect(started).toMatchObject([{ deliveryId: null }]);
	});

	test('has no names that every object inherits', async () => {
		const body = `{"__proto__":{"polluted":1},"constructor":{},${JSON.stringify(notification()).slice(1)}`;
		const { answer, started } = await sendOne(delivery(body));
		expect(answer).toEqual(ACCEPTED);
		expect(Object.keys(started[0] ?? {})).not.toContain('constructor');
		expect('polluted' in {}).toBe(false);
	});

	test('may be signed with a previous secret, and not with a removed one', async () => {
		const credential = { previousWebhookSecrets: 'second-secret\r\n\nthird-secret\n' };
		const { answers } = await send(
			['second-secret', 'third-secret', CREDENTIAL.webhookSecret, 'removed-secret', '\r'].map(
				(secret) => delivery(notification(), { secret }),
			),
			{ credential },
		);
		expect(answers).toEqual([ACCEPTED, ACCEPTED, ACCEPTED, UNVERIFIED, UNVERIFIED]);
	});

	test('hides secrets that a delivery ID repeats', async () => {
		const sent = withHeaders(delivery(), { 'x-svc-delivery-id': `Bearer ${CREDENTIAL.apiKey}` });
		const { started } = await sendOne(sent);
		expect(started).toMatchObject([{ deliveryId: 'Bearer (hidden)' }]);
	});

	test('hides secrets that a payload quotes', async () => {
		const { started } = await sendOne(delivery(notification({ note: CREDENTIAL.apiKey })));
		expect(started).toMatchObject([{ note: '(hidden)' }]);
	});

	test('of the other environment links to its collect URL', async () => {
		const credential = {
			environment: 'staging',
			stagingBaseUrl: 'https://api.staging.example.com',
			stagingCollectUrl: 'https://collect.staging.example.com/',
		};
		const { started } = await sendOne(delivery(notification({ requestId: 'a/b' })), { credential });
		expect(started[0]?.guestLink).toBe('https://collect.staging.example.com/request/a%2Fb');
	});

	test('with an ID that no URL can hold is accepted all the same', async () => {
		const body = JSON.stringify(notification()).replace(
			/"requestId":"[^"]*"/,
			'"requestId":"\\ud83d"',
		);
		const { answer, started } = await sendOne(delivery(body));
		expect(answer).toEqual(ACCEPTED);
		expect(started[0]?.guestLink).toMatch(/\/request\/%EF%BF%BD$/);
	});
});

describe('401, always the same', () => {
	const good = delivery();
	const { 'x-svc-signature': signature = '', 'x-svc-timestamp': timestamp = '' } = good.headers;
	const compact = JSON.stringify(notification());
	const old = String(Date.now() - 301_000);

	test.each<[string, Delivery]>([
		[
			'the signature of another form of the JSON',
			{
				...delivery(compact),
				body: Buffer.from(JSON.stringify(JSON.parse(compact), null, 2)),
			},
		],
		['no signature', withHeaders(good, { 'x-svc-signature': undefined })],
		['no timestamp', withHeaders(good, { 'x-svc-timestamp': undefined })],
		['an empty signature', withHeaders(good, { 'x-svc-signature': '' })],
		['an empty timestamp', withHeaders(good, { 'x-svc-timestamp': '' })],
		['two signatures', withHeaders(good, { 'x-svc-signature': `${signature}, ${signature}` })],
		['two timestamps', withHeaders(good, { 'x-svc-timestamp': `${timestamp}, ${timestamp}` })],
		['upper case', withHeaders(good, { 'x-svc-signature': signature.toUpperCase() })],
		['a prefix', withHeaders(good, { 'x-svc-signature': `sha256=${signature}` })],
		['another secret', delivery(notification(), { secret: 'another' })],
		['the empty secret', delivery(notification(), { secret: '' })],
		['too old', delivery(notification(), { timestamp: old })],
		['too new', delivery(notification(), { timestamp: String(Date.now() + 600_000) })],
		['a timestamp with a fraction, signed', delivery(notification(), { timestamp: '1.5' })],
		['a timestamp of 0, signed', delivery(notification(), { timestamp: '0' })],
		[
			'an old delivery stamped anew',
			withHeaders(delivery(notification(), { timestamp: old }), {
				'x-svc-timestamp': timestamp,
			}),
		],
		['an unsigned body that is no JSON', { ...good, body: Buffer.from('<x>') }],
		['a body of one byte more', { ...good, body: Buffer.concat([good.body, Buffer.from(' ')]) }],
	])('%s', async (_title, bad) => {
		const { answer, started, logged } = await sendOne(bad);
		expect(answer).toEqual(UNVERIFIED);
		expect(started).toEqual([]);
		expect(logged).toHaveLength(1);
		expect(logged[0]).toMatch(/^Delivery refused \(unverified\): /);
	});

	test('a body that n8n did not keep as bytes', async () => {
		const { answer, started } = await sendOne(good, {
			prepare: ({ incoming }) => {
				Object.assign(incoming, {
					rawBody: undefined,
					body: { files: { x: { filepath: '/etc/passwd' } } },
					readRawBody: () => Promise.reject(new Error('multipart')),
				});
			},
		});
		expect(answer).toEqual(UNVERIFIED);
		expect(started).toEqual([]);
	});

	test('the log says why, without the expected signature or a secret', async () => {
		const { logged } = await sendOne({ ...good, body: Buffer.from('{}') });
		expect(logged.join()).toContain('does not match the body with any webhook secret');
		expect(logged.join()).not.toContain(CREDENTIAL.webhookSecret);
		expect(logged.join()).not.toContain(sign('{}', timestamp));
	});
});

test('freshness follows Maximum Age', async () => {
	const seconds = (offset: number) =>
		delivery(notification(), { timestamp: String(Math.floor(Date.now() / 1000) + offset) });
	const ages = async (maximumAge: number, offsets: number[]) => {
		const parameters = { options: { maximumAge } };
		return (await send(offsets.map(seconds), { parameters })).answers;
	};
	expect(await ages(300, [-298, 298])).toEqual([ACCEPTED, ACCEPTED]);
	expect(await ages(10, [-8, -12, 13])).toEqual([ACCEPTED, UNVERIFIED, UNVERIFIED]);
	expect(await ages(0, [-365 * 86_400, 86_400])).toEqual([ACCEPTED, ACCEPTED]);
});

test('the signed header counts, not the timestamp in the body', async () => {
	const { answers } = await send([
		delivery(notification({ timestamp: '1' })),
		delivery(notification(), { timestamp: '1000000000000' }),
	]);
	expect(answers).toEqual([ACCEPTED, UNVERIFIED]);
});

test('an expression that gives no usable age does not switch the check off', async () => {
	for (const maximumAge of ['={{ "off" }}', '={{ -1 }}', '={{ NaN }}', '={{ null }}']) {
		const old = delivery(notification(), { timestamp: String(Date.now() - 400_000) });
		const { answer } = await sendOne(old, { parameters: { options: { maximumAge } } });
		expect(answer).toEqual(UNVERIFIED);
	}
});

describe('400 for what is signed and no notification', () => {
	test.each([
		'null',
		'[]',
		'"x"',
		'1',
		'{}',
		'',
		'{"event":"a","requestId":1}',
		'{"event":"a"',
		'<x/>',
	])('the body %j', async (body) => {
		const { answer, started } = await sendOne(delivery(body));
		expect(answer).toEqual(MALFORMED);
		expect(started).toEqual([]);
	});

	test('nested 100,000 deep', async () => {
		const deep = `{"event":"a","requestId":"1","a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;
		expect((await sendOne(delivery(deep))).answer).toEqual(MALFORMED);
	});
});

test('up to 1 MiB is read, more is refused before it is hashed', async () => {
	const sized = (bytes: number) => {
		const empty = JSON.stringify(notification({ pad: '' }));
		return delivery(empty.replace('"pad":""', `"pad":"${'x'.repeat(bytes - empty.length)}"`));
	};
	const mebibyte = 1024 * 1024;
	const { answers, started } = await send([sized(mebibyte), sized(mebibyte + 1)]);
	expect(answers).toEqual([ACCEPTED, TOO_LARGE]);
	expect(started).toHaveLength(1);
});

describe('Trigger On and filters', () => {
	const statuses = (...shareStatuses: string[]) => ({ triggerOn: 'statuses', shareStatuses });
	const anyStatus = { triggerOn: 'anyStatus' };
	test.each<[string, INodeParameters, IDataObject, object]>([
		['completed, unless chosen otherwise', {}, { shareStatus: 'completed' }, ACCEPTED],
		['open, unless chosen otherwise', {}, { shareStatus: 'open' }, FILTERED],
		['no status, unless chosen otherwise', {}, { shareStatus: null }, FILTERED],
		['completed in capitals', {}, { shareStatus: 'COMPLETED' }, ACCEPTED],
		['open, on opened', { triggerOn: 'open' }, { shareStatus: 'Open' }, ACCEPTED],
		['completed, on opened', { triggerOn: 'open' }, {}, FILTERED],
		['an unknown status, on any', anyStatus, { shareStatus: 'archived' }, ACCEPTED],
		['no status, on any', anyStatus, { shareStatus: null }, ACCEPTED],
		['an unknown event, on any status', anyStatus, { event: 'share.locked' }, FILTERED],
		[
			'an unknown event, on any event',
			{ triggerOn: 'anyEvent' },
			{ event: 'share.locked' },
			ACCEPTED,
		],
		['a status among those named', statuses('open', ' Completed '), {}, ACCEPTED],
		['a status that is not named', statuses('open'), {}, FILTERED],
		['a status, when none is named', statuses('', ' '), {}, FILTERED],
		['no status, when some are named', statuses('open'), { shareStatus: null }, FILTERED],
		['a request ID wanted', { filters: { requestIds: [' r1 '] } }, { requestId: 'r1' }, ACCEPTED],
		['another request ID', { filters: { requestIds: ['r1'] } }, { requestId: 'r2' }, FILTERED],
		['an identifier wanted', { filters: { webhookIdentifiers: ['onboarding'] } }, {}, ACCEPTED],
		[
			'no identifier',
			{ filters: { webhookIdentifiers: ['x'] } },
			{ webhookIdentifier: null },
			FILTERED,
		],
		['one of two conditions', { filters: { requestIds: ['x'] } }, {}, FILTERED],
		['empty entries', { filters: { requestIds: ['', ' '] } }, {}, ACCEPTED],
	])('%s', async (_title, parameters, changes, expected) => {
		const { answer, started, logged } = await sendOne(delivery(notification(changes)), {
			parameters,
		});
		expect(answer).toEqual(expected);
		expect(started).toHaveLength(expected === ACCEPTED ? 1 : 0);
		expect(logged.some((line) => line.startsWith('Delivery filtered: excluded by '))).toBe(
			expected === FILTERED,
		);
	});
});

describe('the item', () => {
	test('has its own fields first, whatever the service sends under their names', async () => {
		const timestamp = '1763719230456';
		const sent = notification({
			guestLink: 'x',
			notifiedAt: 'x',
			deliveryId: 'x',
			more: 1,
			timestamp,
		});
		const { started } = await sendOne(delivery(sent));
		expect(Object.keys(started[0] ?? {})).toEqual([
			'event',
			'requestId',
			'guestLink',
			'shareStatus',
			'webhookIdentifier',
			'timestamp',
			'notifiedAt',
			'deliveryId',
			'more',
		]);
		expect(started[0]).toMatchObject({ timestamp, notifiedAt: '2025-11-21T10:00:30.456Z' });
		expect(started[0]?.guestLink).toMatch(/^https:\/\/collect/);
		expect(started[0]?.deliveryId).not.toBe('x');
	});

	test.each([['soon'], [undefined], [null], [{}]])(
		'has no time when its timestamp is %j',
		async (timestamp) => {
			const { started } = await sendOne(delivery(notification({ timestamp } as never)));
			expect(started[0]?.notifiedAt).toBeNull();
		},
	);
});

describe('repetitions', () => {
	test('of the same signed bytes start nothing, whatever their unsigned headers say', async () => {
		const good = delivery();
		const { answers, started } = await send([
			good,
			good,
			withHeaders(good, { 'x-svc-delivery-id': 'another' }),
			withHeaders(good, { 'x-svc-event': 'another.event' }),
		]);
		expect(answers).toEqual([ACCEPTED, DUPLICATE, DUPLICATE, DUPLICATE]);
		expect(started).toHaveLength(1);
	});

	test('other bytes or another timestamp are another notification', async () => {
		const first = delivery();
		const sameId = withHeaders(delivery(), {
			'x-svc-delivery-id': first.headers['x-svc-delivery-id'],
		});
		const again = delivery(first.body, { timestamp: String(Date.now() - 1000) });
		const { answers } = await send([first, sameId, again]);
		expect(answers).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
	});

	test.each([2, 20, 50])('%i at the same time start one execution', async (count) => {
		const host = await startTriggerHost();
		const good = delivery();
		const answers = await Promise.all(Array.from({ length: count }, () => host.post(good)));
		await host.stop();
		expect(host.started).toHaveLength(1);
		expect(answers.every(({ status }) => status === 200)).toBe(true);
		expect(answers.filter(({ text }) => text === DUPLICATE.text)).toHaveLength(count - 1);
	});

	test('50 distinct ones at the same time start 50', async () => {
		const host = await startTriggerHost();
		const answers = await Promise.all(Array.from({ length: 50 }, () => host.post(delivery())));
		await host.stop();
		expect(answers.every(({ text }) => text === ACCEPTED.text)).toBe(true);
		expect(new Set(host.started.map(({ requestId }) => requestId)).size).toBe(50);
	});

	test('are accepted when n8n could not accept the first one', async () => {
		const statuses = [500, 503, 200];
		const { answers } = await send(Array<Delivery>(4).fill(delivery()), {
			status: () => statuses.shift() ?? 200,
		});
		expect(answers.map(({ status }) => status)).toEqual([500, 503, 200, 200]);
		expect(answers[2]).toEqual(ACCEPTED);
		expect(answers[3]).toEqual(DUPLICATE);
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
		const good = delivery();
		await expect(host.post(withHeaders(good, { 'x-hang-up': '1' }))).rejects.toThrow();
		const again = await host.post(good);
		await host.stop();
		expect(again).toMatchObject(DUPLICATE);
		expect(host.started).toHaveLength(1);
	});
});

describe('public values are never secrets', () => {
	const PUBLIC = [' ', '\t', '\u00a0', '\u200b', CREDENTIAL_EMPTY_VALUE, CREDENTIAL_BLANKING_VALUE];

	test.each(PUBLIC)('%j among the previous secrets: what it signs is refused', async (text) => {
		const { answer, started } = await sendOne(delivery(notification(), { secret: text }), {
			credential: { previousWebhookSecrets: `another-secret\n${text}\n` },
		});
		expect(answer).toEqual(UNVERIFIED);
		expect(started).toEqual([]);
	});

	test.each(PUBLIC)('%j as the only secret: nothing is accepted', async (text) => {
		const { answer, started } = await sendOne(delivery(notification(), { secret: text }), {
			credential: { webhookSecret: text },
		});
		expect(answer).toEqual(NOT_CONFIGURED);
		expect(started).toEqual([]);
	});

	test('spaces around a secret are a part of it', async () => {
		const secret = ' a secret with spaces\u00a0';
		for (const field of ['webhookSecret', 'previousWebhookSecrets']) {
			const credential = { [field]: secret };
			const { started } = await sendOne(delivery(notification(), { secret }), { credential });
			expect(started).toHaveLength(1);
		}
	});
});

describe('without a webhook secret nothing is accepted', () => {
	test.each<[string, HostOptions]>([
		['an empty secret', { credential: { webhookSecret: '' } }],
		[
			'empty lines as previous secrets',
			{
				credential: { webhookSecret: '', previousWebhookSecrets: '\n\r\n' },
			},
		],
		['no credential selected', { settings: { credentials: {} } }],
		['no collect URL', { credential: { productionCollectUrl: '' } }],
	])('%s', async (_title, options) => {
		const { answer, started, logged } = await sendOne(
			delivery(notification(), { secret: '' }),
			options,
		);
		expect(answer).toEqual(NOT_CONFIGURED);
		expect(started).toEqual([]);
		expect(logged).toHaveLength(1);
	});
});
