import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { runError } from './support/engine.mts';
import { json, withFaultServer } from './support/faultServer.mts';

const PUBLIC = { productionBaseUrl: 'https://api.example.com' };
const HOOK = 'https://n8n.example.com/webhook/1/webhook';

/** Runs a create that must be refused here: with 0 requests, and an error that names the item. */
async function refusal(parameters: INodeParameters, credential?: ICredentialDataDecryptedObject) {
	return await withFaultServer(json(201, { _id: '1' }), async ({ url, requests }) => {
		const error = await runError({
			parameters: {
				resource: 'collectionRequest',
				operation: 'create',
				templateId: 't1',
				...parameters,
			},
			credential: { productionBaseUrl: url, ...credential },
		});
		expect(requests).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeOperationError', itemIndex: 0 });
		expect(error.description).toMatch(/.{10,}/);
		return error;
	});
}

describe('limits', () => {
	test.each<[string, INodeParameters, string]>([
		['a fraction', { minimumParticipants: 1.5 }, 'Minimum Participants is not a whole number: 1.5'],
		['below 0', { maximumParticipants: -1 }, 'Maximum Participants is not a whole number: -1'],
		[
			'a word',
			{ minimumParticipants: '={{ "two" }}' },
			'Minimum Participants is not a whole number: two',
		],
		[
			'a list',
			{ minimumParticipants: '={{ [2] }}' },
			'Minimum Participants is not a whole number: [2]',
		],
		[
			'true',
			{ minimumParticipants: '={{ true }}' },
			'Minimum Participants is not a whole number: true',
		],
		[
			'beyond 2^53',
			{ maximumParticipants: '={{ 2 ** 60 }}' },
			'Maximum Participants is not a whole number: 1152921504606847000',
		],
		[
			'a minimum above the maximum',
			{ minimumParticipants: 5, maximumParticipants: 4 },
			'Minimum Participants (5) is above Maximum Participants (4)',
		],
	])('%s', async (_title, parameters, message) => {
		expect((await refusal(parameters)).message).toBe(message);
	});
});

describe('participants', () => {
	test('an entry without name, email and phone number is named', async () => {
		const participant = [{ email: 'a@example.com' }, { isAdmin: true }];
		const { message } = await refusal({ participants: { participant } });
		expect(message).toBe('Participant 2 is empty');
	});

	test.each<[string, INodeParameters[string], RegExp]>([
		[
			'malformed JSON',
			'[{\n"name": \'a\'}]',
			/^Participants \(JSON\) is not valid JSON: Unexpected token '''/,
		],
		[
			'JSON that ends too early',
			'[{',
			/^Participants \(JSON\) is not valid JSON: .*position 2 \(line 1 column 3\)$/,
		],
		['an object', '{}', /^Participants \(JSON\) is not a list$/],
		['null', 'null', /^Participants \(JSON\) is not a list$/],
		['a number', '={{ 1 }}', /^Participants \(JSON\) is not a list$/],
		['an entry that is a text', '[{"name":"a"},"b"]', /^Participant 2 is not an object$/],
		['an entry that is a list', '[[]]', /^Participant 1 is not an object$/],
		['an entry that is null', '={{ [null] }}', /^Participant 1 is not an object$/],
	])('%s is refused', async (_title, participantsJson, message) => {
		const error = await refusal({ participantsMode: 'json', participantsJson });
		expect(error.message).toMatch(message);
	});

	test('n8n does not reword a message that quotes the name of an error code', async () => {
		const error = await refusal({ participantsMode: 'json', participantsJson: 'ENOENT' });
		expect(error.message).toMatch(
			/^Participants \(JSON\) is not valid JSON: Unexpected token 'E', "ENOENT" is not valid JSON$/,
		);
	});
});

describe('the webhook URL', () => {
	test.each([
		'n8n.example.com/webhook/1',
		'/webhook/1',
		'ftp://n8n.example.com',
		'x',
		'{{ $json.url }}',
	])('%s is not an absolute http(s) address', async (webhookUrl) => {
		const { message } = await refusal({ notify: 'trigger', webhookUrl });
		expect(message).toBe('Webhook URL is not an absolute http(s) address');
	});

	test('needs a webhook secret in the credential', async () => {
		const { message, description } = await refusal(
			{ notify: 'trigger', webhookUrl: HOOK },
			{ webhookSecret: '' },
		);
		expect(message).toBe(
			'The credential has no webhook secret: enter one in the Data Collection API credential',
		);
		expect(description).toContain('choose Nobody under Notify');
	});

	test.each([' ', '\u00a0', '\u200b', CREDENTIAL_EMPTY_VALUE])(
		'is not satisfied by %j, which everybody knows',
		async (webhookSecret) => {
			const { message } = await refusal({ notify: 'trigger', webhookUrl: HOOK }, { webhookSecret });
			expect(message).toBe(
				'The credential has no webhook secret: enter one in the Data Collection API credential',
			);
		},
	);

	test('is not satisfied by a previous secret alone, because the service would get none', async () => {
		const credential = { webhookSecret: '', previousWebhookSecrets: 'an-older-secret' };
		const { message } = await refusal({ notify: 'trigger', webhookUrl: HOOK }, credential);
		expect(message).toBe(
			'The credential has no webhook secret: enter one in the Data Collection API credential',
		);
	});

	test.each([
		'http://localhost:5678/webhook/1/webhook',
		'http://127.1/webhook/1/webhook',
		'http://192.168.1.20:5678/webhook/1/webhook',
		'http://[::1]:5678/webhook/1/webhook',
		'http://[::ffff:10.0.0.1]/webhook/1/webhook',
	])('%s cannot be reached by a service elsewhere', async (webhookUrl) => {
		const { message, description } = await refusal({ notify: 'trigger', webhookUrl }, PUBLIC);
		expect(message).toMatch(/^The service cannot reach the webhook URL: /);
		expect(description).toContain('WEBHOOK_URL');
	});
});

describe('the credential', () => {
	test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
		['no base URL', { productionBaseUrl: '' }, /^The API Base URL \(production\) is empty$/],
		['http elsewhere', { productionBaseUrl: 'http://api.example.com' }, /must start with https/],
		[
			'keys in the URL',
			{ productionBaseUrl: 'https://user:password1@api.example.com' },
			/must not contain a user name or password$/,
		],
		['a query', { productionBaseUrl: 'https://api.example.com/?a' }, /must not contain a query/],
		['no collect URL', { productionCollectUrl: '' }, /^The Collect URL \(production\) is empty$/],
		[
			'the addresses of the other environment only',
			{ environment: 'staging' },
			/^The API Base URL \(staging\) is empty$/,
		],
	])('%s', async (_title, credential, message) => {
		const error = await refusal({}, credential);
		expect(error.message).toMatch(message);
		expect(JSON.stringify(error)).not.toContain('password1');
	});
});

test('a timeout that is no number above 0 is refused', async () => {
	for (const timeout of [0, -1, '={{ "soon" }}']) {
		const { message } = await refusal({ options: { timeout } });
		expect(message).toBe('Timeout is not a number above 0');
	}
});
