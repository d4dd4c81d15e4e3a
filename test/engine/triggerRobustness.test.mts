import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { CREDENTIAL } from './support/credential.mts';
import type { Delivery } from './support/delivery.mts';
import { delivery, sign } from './support/delivery.mts';
import { containing } from './support/matchers.mts';
import type { HostOptions, TriggerHost } from './support/triggerHost.mts';
import { hookContext, startTriggerHost } from './support/triggerHost.mts';

const ACCEPTED = '{"status":"accepted"}';
const DUPLICATE = '{"status":"duplicate"}';

const methods = new DataCollectionTrigger().webhookMethods.default;

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

	test('is refused with an address that cannot be used', async () => {
		const context = hookContext({ credential: { productionBaseUrl: 'http://api.example.com' } });
		await expect(methods.create.call(context)).rejects.toThrow(
			/API Base URL \(production\) must start/,
		);
	});
});

describe('what fails around the node is answered, with one constant body', () => {
	const fails = () => {
		throw new Error('a stack trace, a path, a secret');
	};
	const rejects = () => Promise.reject(new Error('a stack trace, a path, a secret'));
	const replace = (name: keyof IWebhookFunctions, value: unknown): HostOptions => ({
		prepare: ({ context }) => void Object.defineProperty(context, name, { value }),
	});

	test.each<[string, HostOptions, number]>([
		['getCredentials rejects', replace('getCredentials', rejects), 500],
		['getNodeParameter throws', replace('getNodeParameter', fails), 500],
		['the workflow cannot be read', replace('getWorkflow', fails), 500],
		['the logger throws', replace('logger', { warn: fails, error: fails }), 200],
	])('%s', async (_title, options, status) => {
		const host = await startTriggerHost(options);
		const answer = await host.post(delivery());
		await host.stop();
		expect(host.thrown).toEqual([]);
		expect(answer.status).toBe(status);
		expect(['{"status":"not configured"}', '{"status":"accepted"}']).toContain(answer.text);
	});

	test('the logger throws on a refusal and on a missing secret', async () => {
		const logger = replace('logger', { warn: fails, error: fails });
		for (const [credential, status] of [
			[{}, 401],
			[{ webhookSecret: '' }, 500],
		] as const) {
			const host = await startTriggerHost({ ...logger, credential });
			const answer = await host.post(delivery('{}', { secret: 'another' }));
			await host.stop();
			expect(host.thrown).toEqual([]);
			expect(answer.status).toBe(status);
		}
	});
});

describe('never throws, and repeats nothing of the request', () => {
	let host: TriggerHost;
	beforeAll(async () => {
		host = await startTriggerHost();
	});
	afterAll(() => host.stop());

	const ANSWERS = ['accepted', 'filtered', 'duplicate', 'malformed', 'unverified'].map(
		(status) => `{"status":"${status}"}`,
	);
	const headerText = fc
		.array(
			fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
			{ maxLength: 80 },
		)
		.map((codes) => String.fromCharCode(...codes));
	const headers = fc.record(
		{
			'x-svc-signature': fc.oneof(headerText, fc.constant('0'.repeat(64))),
			'x-svc-timestamp': fc.oneof(headerText, fc.bigInt({ min: 0n }).map(String)),
			'x-svc-event': headerText,
			'x-svc-delivery-id': headerText,
			'content-type': fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', ''),
		},
		{ requiredKeys: [] },
	);
	const body = fc.oneof(
		fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
		fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
	);

	test('with any headers and body: unverified', async () => {
		await fc.assert(
			fc.asyncProperty(headers, body, async (given, bytes) => {
				const { status, text } = await host.post({ headers: given, body: bytes });
				expect({ status, text }).toEqual({ status: 401, text: '{"status":"unverified"}' });
			}),
		);
		expect(host.thrown).toEqual([]);
		expect(host.started).toEqual([]);
	});

	test('with any signed body: a constant answer, and only notifications start', async () => {
		await fc.assert(
			fc.asyncProperty(headers, body, async (given, bytes) => {
				const timestamp = String(Date.now());
				const signature = sign(bytes, timestamp, CREDENTIAL.webhookSecret);
				const signed = { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature };
				const answer = await host.post({ headers: { ...given, ...signed }, body: bytes });
				expect([200, 400]).toContain(answer.status);
				expect(ANSWERS).toContain(answer.text);
			}),
		);
		expect(host.thrown).toEqual([]);
		for (const item of host.started) expect(item).toHaveProperty('guestLink');
	});

	test('1,000 unauthenticated requests start nothing', async () => {
		for (let batch = 0; batch < 20; batch += 1) {
			const forged = () => host.post(delivery(undefined, { secret: 'forged' }));
			const answers = await Promise.all(Array.from({ length: 50 }, forged));
			expect(answers.every(({ status }) => status === 401)).toBe(true);
		}
		expect(host.thrown).toEqual([]);
	});
});

test('10,001 notifications: only the oldest is forgotten', async () => {
	const host = await startTriggerHost();
	const post = async (one: Delivery) => (await host.post(one)).text;
	const first = delivery();
	const second = delivery();
	expect([await post(first), await post(second)]).toEqual([ACCEPTED, ACCEPTED]);
	for (let batch = 0; batch < 100; batch += 1) {
		const count = batch === 0 ? 99 : 100;
		const texts = await Promise.all(Array.from({ length: count }, () => post(delivery())));
		expect(new Set(texts)).toEqual(new Set([ACCEPTED]));
	}
	expect(await post(second)).toBe(DUPLICATE);
	expect(await post(first)).toBe(ACCEPTED);
	await host.stop();
	expect(host.thrown).toEqual([]);
	expect(host.started).toHaveLength(10_002);
}, 180_000);
