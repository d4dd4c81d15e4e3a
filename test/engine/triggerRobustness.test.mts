import type { IWebhookFunctions } from 'n8n-workflow';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { signed, type Delivery } from '../support/delivery.mts';
import { containing } from '../support/matchers.mts';
import type { HostOptions } from './support/triggerHost.mts';
import { deliver, hookContext } from './support/triggerHost.mts';

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
