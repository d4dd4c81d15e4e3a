import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_BLANKING_VALUE, CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { once } from 'node:events';
import { CREDENTIAL } from './support/credential.mts';
import {
	payload,
	SECRET,
	sign,
	signed,
	valueOf,
	withHeader,
	type Delivery,
} from '../support/delivery.mts';
import { FORGED, sentAs } from '../support/forgeries.mts';
import { matching } from '../support/matchers.mts';
import type { HostOptions } from './support/triggerHost.mts';
import { deliver, startTriggerHost } from './support/triggerHost.mts';

const ACCEPTED = '200 accepted';
const FILTERED = '200 filtered';
const DUPLICATE = '200 duplicate';
const UNVERIFIED = '401 unverified';
const NOT_CONFIGURED = '500 not configured';

const notified = (changes: IDataObject) => signed({ body: payload(changes) });
const signedBy = (secret: string) => signed({ secret });
const stamped = (timestamp: number | string) => signed({ timestamp: String(timestamp) });

describe('an accepted delivery', () => {
	test('starts the workflow with the payload, the delivery ID and the guest link', async () => {
		const fields = payload({ unknownField: { list: [1, null, 'x'] } });
		const good = signed({ body: fields });
		const { responses, started, logged } = await deliver([good]);
		expect(responses).toEqual([ACCEPTED]);
		expect(started).toEqual([
			{
				...fields,
				notifiedAt: new Date(Number(fields.timestamp)).toISOString(),
				deliveryId: valueOf(good, 'X-SVC-Delivery-Id'),
				guestLink: `${CREDENTIAL.productionCollectUrl}/request/${fields.requestId}`,
			},
		]);
		expect(logged).toEqual([]);
	});

	const header = (name: string, ...values: string[]) => withHeader(signed(), name, ...values);
	const event = 'collection_request.updated';
	const halfCharacter = JSON.stringify(payload({ requestId: '@' })).replace('@', '\\ud83d');
	test.each<[string, Delivery, object]>([
		['needs no event header', header('x-svc-event'), { event }],
		['takes no event from a header', header('x-svc-event', 'another.event'), { event }],
		['without a delivery ID has null', header('x-svc-delivery-id'), { deliveryId: null }],
		[
			'hides secrets that a delivery ID repeats',
			header('x-svc-delivery-id', `Bearer ${CREDENTIAL.apiKey}`),
			{ deliveryId: 'Bearer (hidden)' },
		],
		[
			'hides secrets that a payload quotes',
			notified({ note: CREDENTIAL.apiKey }),
			{ note: '(hidden)' },
		],
		[
			'may have an ID that no URL can hold',
			signed({ body: halfCharacter }),
			{ guestLink: matching(/\/request\/%EF%BF%BD$/) },
		],
	])('%s', async (_title, sent, item) => {
		const { responses, started } = await deliver([sent]);
		expect([responses, started]).toMatchObject([[ACCEPTED], [item]]);
	});

	test('may be signed with a previous secret, and not with a removed one', async () => {
		const { responses } = await deliver(
			['second-secret', 'third-secret', CREDENTIAL.webhookSecret, 'removed-secret', '\r'].map(
				signedBy,
			),
			{ credential: { previousWebhookSecrets: 'second-secret\r\n\nthird-secret\n' } },
		);
		expect(responses).toEqual([ACCEPTED, ACCEPTED, ACCEPTED, UNVERIFIED, UNVERIFIED]);
	});

	test('of the other environment links to its collect URL', async () => {
		const credential = {
			environment: 'staging',
			stagingBaseUrl: 'https://api.staging.example.com',
			stagingCollectUrl: 'https://collect.staging.example.com/',
		};
		const sent = notified({ requestId: 'a/b' });
		const { started } = await deliver([sent], { credential });
		expect(started[0]?.guestLink).toBe('https://collect.staging.example.com/request/a%2Fb');
	});
});

describe('401, always the same', () => {
	const good = signed();
	const signature = valueOf(good, 'X-SVC-Signature');
	const timestamp = valueOf(good, 'X-SVC-Timestamp');
	const changed = (name: string, ...values: string[]) => withHeader(good, name, ...values);
	const old = stamped(Date.now() - 301_000);

	test.each<[string, () => Delivery]>([
		...FORGED.map(([title, forge]): [string, () => Delivery] => [title, () => sentAs(forge())]),
		['no signature header', () => changed('x-svc-signature')],
		['no timestamp header', () => changed('x-svc-timestamp')],
		['two signatures', () => changed('x-svc-signature', `${signature}, ${signature}`)],
		['two timestamps', () => changed('x-svc-timestamp', `${timestamp}, ${timestamp}`)],
		['the empty secret', () => signedBy('')],
		['too old', () => old],
		['too new', () => stamped(Date.now() + 600_000)],
		['a timestamp of 0, signed', () => stamped(0)],
		['an old delivery stamped anew', () => withHeader(old, 'X-SVC-Timestamp', timestamp)],
	])('%s', async (_title, forge) => {
		const run = await deliver([forge()]);
		expect([run.responses, run.started]).toEqual([[UNVERIFIED], []]);
		expect(run.logged).toEqual([matching(/^Delivery refused \(unverified\): /)]);
	});

	test('a body that n8n did not keep as bytes', async () => {
		const { responses, started } = await deliver([good], {
			prepare: ({ incoming }) => {
				Object.assign(incoming, {
					rawBody: undefined,
					body: { files: { x: { filepath: '/etc/passwd' } } },
					readRawBody: () => Promise.reject(new Error('multipart')),
				});
			},
		});
		expect([responses, started]).toEqual([[UNVERIFIED], []]);
	});

	test('the log says why, without the expected signature or a secret', async () => {
		const { logged } = await deliver([{ ...good, body: Buffer.from('{}') }]);
		expect(logged.join()).toContain('does not match the body with any webhook secret');
		expect(logged.join()).not.toContain(CREDENTIAL.webhookSecret);
		expect(logged.join()).not.toContain(sign(SECRET, timestamp, '{}'));
	});
});

test.each<[unknown, number[], string[]]>([
	[300, [-298, 298], [ACCEPTED, ACCEPTED]],
	[10, [-8, -12, 13], [ACCEPTED, UNVERIFIED, UNVERIFIED]],
	[0, [-365 * 86_400, 86_400], [ACCEPTED, ACCEPTED]],
	// An expression that gives no usable age does not switch the check off.
	['={{ "off" }}', [-400], [UNVERIFIED]],
	['={{ -1 }}', [-400], [UNVERIFIED]],
	['={{ NaN }}', [-400], [UNVERIFIED]],
	['={{ null }}', [-400], [UNVERIFIED]],
])('with Maximum Age %s, %j seconds from now are %j', async (maximumAge, offsets, expected) => {
	const sent = offsets.map((offset) => stamped(Math.floor(Date.now() / 1000) + offset));
	const { responses } = await deliver(sent, { parameters: { options: { maximumAge } } as never });
	expect(responses).toEqual(expected);
});

test('the signed header counts, not the timestamp in the body', async () => {
	const sent = [notified({ timestamp: '1' }), stamped('1000000000000')];
	expect((await deliver(sent)).responses).toEqual([ACCEPTED, UNVERIFIED]);
});

test.each(['null', '{}', '{"event":"a","requestId":1}', '{"event":"a"', ''])(
	'400 for what is signed and no notification: %j',
	async (body) => {
		const { responses, started } = await deliver([signed({ body })]);
		expect([responses, started]).toEqual([['400 malformed'], []]);
	},
);

test('up to 1 MiB is read, more is refused before it is hashed', async () => {
	const sized = (bytes: number) => {
		const empty = JSON.stringify(payload({ pad: '' }));
		const pad = 'x'.repeat(bytes - empty.length);
		return signed({ body: empty.replace('"pad":""', `"pad":"${pad}"`) });
	};
	const mebibyte = 1024 * 1024;
	const { responses, started } = await deliver([sized(mebibyte), sized(mebibyte + 1)]);
	expect(responses).toEqual([ACCEPTED, '413 too large']);
	expect(started).toHaveLength(1);
});

describe('Trigger On and filters', () => {
	const statuses = (...shareStatuses: string[]) => ({ triggerOn: 'statuses', shareStatuses });
	const ids = (...requestIds: string[]) => ({ filters: { requestIds } });
	const identifier = (wanted: string) => ({ filters: { webhookIdentifiers: [wanted] } });
	const opened = { triggerOn: 'open' };
	const anyStatus = { triggerOn: 'anyStatus' };
	const anyEvent = { triggerOn: 'anyEvent' };
	const NONE = { shareStatus: null };
	const LOCKED = { event: 'share.locked' };

	test.each<[string, INodeParameters, IDataObject, string]>([
		['completed, unless chosen otherwise', {}, {}, ACCEPTED],
		['open, unless chosen otherwise', {}, { shareStatus: 'open' }, FILTERED],
		['no status, unless chosen otherwise', {}, NONE, FILTERED],
		['completed in capitals', {}, { shareStatus: 'COMPLETED' }, ACCEPTED],
		['open, on opened', opened, { shareStatus: 'Open' }, ACCEPTED],
		['completed, on opened', opened, {}, FILTERED],
		['an unknown status, on any', anyStatus, { shareStatus: 'archived' }, ACCEPTED],
		['no status, on any', anyStatus, NONE, ACCEPTED],
		['an unknown event, on any status', anyStatus, LOCKED, FILTERED],
		['an unknown event, on any event', anyEvent, LOCKED, ACCEPTED],
		['a status among those named', statuses('open', ' Completed '), {}, ACCEPTED],
		['a status that is not named', statuses('open'), {}, FILTERED],
		['a status, when none is named', statuses('', ' '), {}, FILTERED],
		['no status, when some are named', statuses('open'), NONE, FILTERED],
		['a request ID wanted', ids(' r1 '), { requestId: 'r1' }, ACCEPTED],
		['another request ID', ids('r1'), { requestId: 'r2' }, FILTERED],
		['one of two conditions', ids('x'), {}, FILTERED],
		['empty entries', ids('', ' '), {}, ACCEPTED],
		['an identifier wanted', identifier('e2e'), {}, ACCEPTED],
		['no identifier', identifier('x'), { webhookIdentifier: null }, FILTERED],
	])('%s', async (_title, parameters, changes, expected) => {
		const run = await deliver([notified(changes)], { parameters });
		expect(run.responses).toEqual([expected]);
		expect(run.started).toHaveLength(expected === ACCEPTED ? 1 : 0);
		const excluded = run.logged.some((line) => line.startsWith('Delivery filtered: excluded by '));
		expect(excluded).toBe(expected === FILTERED);
	});
});

describe('the item', () => {
	test('has its own fields first, whatever the service sends under their names', async () => {
		const timestamp = '1763719230456';
		const own = { guestLink: 'x', notifiedAt: 'x', deliveryId: 'x' };
		const { started } = await deliver([notified({ ...own, more: 1, timestamp })]);
		expect(Object.keys(started[0] ?? {})).toEqual(
			['event', 'requestId', 'guestLink', 'shareStatus', 'webhookIdentifier', 'timestamp'].concat([
				'notifiedAt',
				'deliveryId',
				'more',
			]),
		);
		expect(started[0]).toMatchObject({
			timestamp,
			notifiedAt: '2025-11-21T10:00:30.456Z',
			guestLink: matching(/^https:\/\/collect/),
			deliveryId: matching(/../),
		});
	});

	test.each([['soon'], [undefined], [null], [{}]])(
		'has no time when its timestamp is %j',
		async (timestamp) => {
			const { started } = await deliver([notified({ timestamp } as never)]);
			expect(started[0]?.notifiedAt).toBeNull();
		},
	);
});

describe('repetitions', () => {
	test('of the same signed bytes start nothing, whatever their unsigned headers say', async () => {
		const good = signed();
		const { responses, started } = await deliver([
			good,
			good,
			withHeader(good, 'X-SVC-Delivery-Id', 'another'),
			withHeader(good, 'X-SVC-Event', 'another.event'),
		]);
		expect(responses).toEqual([ACCEPTED, DUPLICATE, DUPLICATE, DUPLICATE]);
		expect(started).toHaveLength(1);
	});

	test('other bytes or another timestamp are another notification', async () => {
		const first = signed();
		const sameId = valueOf(first, 'X-SVC-Delivery-Id');
		const { responses } = await deliver([
			first,
			withHeader(signed(), 'X-SVC-Delivery-Id', sameId),
			signed({ body: first.body, timestamp: String(Date.now() - 1000) }),
		]);
		expect(responses).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
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
});

describe.each([' ', CREDENTIAL_EMPTY_VALUE, CREDENTIAL_BLANKING_VALUE])(
	'%j, which everybody knows, is never a secret',
	(secret) => {
		test.each([
			['among the previous ones', { previousWebhookSecrets: `another\n${secret}\n` }, UNVERIFIED],
			['as the only one', { webhookSecret: secret }, NOT_CONFIGURED],
		])('%s', async (_title, credential, expected) => {
			const { responses, started } = await deliver([signedBy(secret)], { credential });
			expect([responses, started]).toEqual([[expected], []]);
		});
	},
);

test.each<[string, HostOptions]>([
	['an empty secret', { credential: { webhookSecret: '' } }],
	['empty lines', { credential: { webhookSecret: '', previousWebhookSecrets: '\n\r\n' } }],
	['no credential selected', { settings: { credentials: {} } }],
	['no collect URL', { credential: { productionCollectUrl: '' } }],
])('with %s nothing is accepted', async (_title, options) => {
	const { responses, started, logged } = await deliver([signedBy('')], options);
	expect([responses, started]).toEqual([[NOT_CONFIGURED], []]);
	expect(logged).toHaveLength(1);
});
