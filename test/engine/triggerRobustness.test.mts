import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { SECRET, sign, signed, type Delivery } from '../support/delivery.mts';
import { containing } from '../support/matchers.mts';
import type { HostOptions } from './support/triggerHost.mts';
import { deliver, hookContext, startTriggerHost } from './support/triggerHost.mts';

describe('activation', () => {
	const methods = new DataCollectionTrigger().webhookMethods.default;

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
		const message = /API Base URL \(production\) must start/;
		await expect(methods.create.call(context)).rejects.toThrow(message);
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
	const brokenLog = replace('logger', { warn: fails, error: fails });
	const noSecret = { ...brokenLog, credential: { webhookSecret: '' } };

	const forged = signed({ secret: 'another' });
	test.each<[string, HostOptions, string, Delivery?]>([
		['getCredentials rejects', replace('getCredentials', rejects), '500 not configured'],
		['getNodeParameter throws', replace('getNodeParameter', fails), '500 not configured'],
		['the workflow cannot be read', replace('getWorkflow', fails), '500 not configured'],
		['the logger throws', brokenLog, '200 accepted'],
		['the logger throws on a refusal', brokenLog, '401 unverified', forged],
		['the logger throws on a missing secret', noSecret, '500 not configured'],
	])('%s', async (_title, options, expected, sent = signed()) => {
		const { responses } = await deliver([sent], options);
		expect(responses).toEqual([expected]);
	});
});

describe('never throws, and repeats nothing of the request', () => {
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
		const host = await startTriggerHost();
		await fc.assert(
			fc.asyncProperty(headers, body, async (given, bytes) => {
				expect(await host.post({ headers: Object.entries(given), body: bytes })).toBe(
					'401 unverified',
				);
			}),
		);
		expect(host.started).toEqual([]);
	});

	test('with any signed body: a constant answer, and only notifications start', async () => {
		const host = await startTriggerHost();
		await fc.assert(
			fc.asyncProperty(headers, body, async (given, bytes) => {
				const timestamp = String(Date.now());
				const genuine = {
					'x-svc-timestamp': timestamp,
					'x-svc-signature': sign(SECRET, timestamp, bytes),
				};
				const response = await host.post({
					headers: Object.entries({ ...given, ...genuine }),
					body: bytes,
				});
				expect(response).toMatch(/^(200 (accepted|filtered|duplicate)|400 malformed)$/);
			}),
		);
		for (const item of host.started) expect(item).toHaveProperty('guestLink');
	});

	test('1,000 unauthenticated requests start nothing', async () => {
		const host = await startTriggerHost();
		const forged = async () => await host.post(signed({ secret: 'forged' }));
		for (let batch = 0; batch < 20; batch += 1) {
			const responses = await Promise.all(Array.from({ length: 50 }, forged));
			expect(new Set(responses)).toEqual(new Set(['401 unverified']));
		}
		expect(host.started).toEqual([]);
	});
});
