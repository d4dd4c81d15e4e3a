import type { INodeParameters } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import { expectNoSecrets, runAction, runOk } from './support/engine.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { sandboxOf } from './support/sandbox.mts';
import type { Service } from './support/service.mts';
import { startService } from './support/service.mts';
import { containing, matching, textOf } from './support/matchers.mts';

let service: Service;
const sandbox = sandboxOf(() => service);

beforeAll(async () => {
	service = await startService({ recordSecrets: true });
});
beforeEach(() => sandbox.clear());
afterAll(() => service.stop());

const create = (parameters: INodeParameters) =>
	sandbox.action({ resource: 'collectionRequest', operation: 'create', ...parameters });

/** Runs a create and returns the one body that the service received. */
async function sentBy(parameters: INodeParameters) {
	const created = await runOk(create(parameters));
	const calls = await sandbox.calls();
	expect(calls).toHaveLength(1);
	expect(calls[0]).toMatchObject({ method: 'POST', url: '/di/collection-request/', status: 201 });
	return { created, body: calls[0]?.body, headers: calls[0]?.headers };
}

test('the response of the service comes out, with the guest link', async () => {
	const { created } = await sentBy({ templateId: 't1' });
	expect(created).toMatchObject({
		_id: matching(/^[0-9a-f]{24}$/),
		shareStatus: 'open',
		template: { _id: 't1' },
		guestLink: `${service.url}/request/${textOf(created._id)}`,
	});
	expect((await fetch(textOf(created.guestLink))).status).toBe(200);
});

test('both headers of the API and JSON are sent', async () => {
	const { headers } = await sentBy({ templateId: 't1' });
	expect(headers).toMatchObject({
		authorization: `Bearer ${CREDENTIAL.apiKey}`,
		tokenid: CREDENTIAL.tokenId,
		'content-type': 'application/json',
	});
});

describe('the body', () => {
	test('holds every field that was set', async () => {
		const { body } = await sentBy({
			templateId: ' t1 ',
			childAccountId: 'c1',
			minimumParticipants: 2,
			maximumParticipants: 3,
			participants: {
				participant: [
					{
						name: 'Zoë 東京',
						email: 'zoe@example.com',
						phoneNumber: '+41 44 668 18 00',
						isAdmin: true,
					},
					{ email: 'nathan@example.com' },
				],
			},
			notify: 'trigger',
			webhookUrl: 'http://127.0.0.1:5678/webhook/1/webhook',
			additionalFields: { webhookIdentifier: 'onboarding' },
		});
		expect(body).toEqual({
			templateId: 't1',
			childAccountId: 'c1',
			minimumParticipants: 2,
			maximumParticipants: 3,
			participantList: [
				{
					name: 'Zoë 東京',
					email: 'zoe@example.com',
					phoneNumber: '+41 44 668 18 00',
					isAdmin: true,
				},
				{ email: 'nathan@example.com', isAdmin: false },
			],
			webhookUrl: 'http://127.0.0.1:5678/webhook/1/webhook',
			webhookSecret: CREDENTIAL.webhookSecret,
			webhookIdentifier: 'onboarding',
		});
	});

	test('leaves out what was not set', async () => {
		const { body } = await sentBy({
			templateId: 't1',
			minimumParticipants: '={{ null }}',
			maximumParticipants: '={{ "  " }}',
		});
		expect(body).toEqual({ templateId: 't1' });
	});

	test('takes the limits of the editor when they are left as they are', async () => {
		const { body } = await sentBy({ templateId: 't1' });
		expect(body).toEqual({ templateId: 't1', minimumParticipants: 1, maximumParticipants: 10 });
	});

	test.each<[string, INodeParameters[string]]>([
		['a JSON text', '[{ "email": "a@example.com", "isAdmin": true }]'],
		['an expression that gives a list', '={{ [{ email: "a@example.com", isAdmin: true }] }}'],
		[
			'an expression that gives a text',
			'={{ JSON.stringify([{ email: "a@example.com", isAdmin: true }]) }}',
		],
	])('takes participants from %s', async (_title, participantsJson) => {
		const { body } = await sentBy({ templateId: 't1', participantsMode: 'json', participantsJson });
		expect(body?.participantList).toEqual([{ email: 'a@example.com', isAdmin: true }]);
	});

	test.each(['', '[]', '  '])(
		'has no participants when the JSON is %j',
		async (participantsJson) => {
			const { body } = await sentBy({
				templateId: 't1',
				participantsMode: 'json',
				participantsJson,
			});
			expect(body).not.toHaveProperty('participantList');
		},
	);

	test('asks for no notifications when there is no webhook URL', async () => {
		const { body } = await sentBy({ templateId: 't1' });
		expect(body).not.toHaveProperty('webhookUrl');
		expect(body).not.toHaveProperty('webhookSecret');
	});

	test('keeps the query of a webhook URL', async () => {
		const webhookUrl = 'http://127.0.0.1:5678/webhook-waiting/7?signature=a%2Fb';
		const { body } = await sentBy({ templateId: 't1', notify: 'trigger', webhookUrl });
		expect(body?.webhookUrl).toBe(webhookUrl);
	});
});

test('the webhook secret is in the POST body and nowhere else, even if the service echoes it', async () => {
	const secret = CREDENTIAL.webhookSecret;
	const echo = {
		_id: '1',
		webhookSecret: secret,
		webhook: { webhookSecret: secret, note: `signed with ${secret}` },
		keys: [CREDENTIAL.apiKey, CREDENTIAL.tokenId],
	};
	await withFaultServer(json(201, echo), async ({ url, requests }) => {
		const outcome = await runAction({
			parameters: {
				resource: 'collectionRequest',
				operation: 'create',
				templateId: 't1',
				notify: 'trigger',
				webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
			},
			credential: { productionBaseUrl: url },
		});
		expect(outcome.json).toEqual([
			{
				requestId: '1',
				_id: '1',
				webhook: { note: 'signed with (hidden)' },
				keys: ['(hidden)', '(hidden)'],
				guestLink: 'https://collect.example.com/request/1',
			},
		]);
		expect(requests).toHaveLength(1);
		expect(requests[0]?.body.split(secret)).toHaveLength(2);
		expect(JSON.stringify({ ...requests[0], body: '' })).not.toContain(secret);
		expectNoSecrets(outcome.run);
	});
});

describe('the execution hint for a test URL', () => {
	const hintsOf = async (webhookUrl: string) => {
		const { task, json: created } = await runAction(
			create({
				templateId: 't1',
				notify: 'trigger',
				webhookUrl,
				participants: { participant: [{ name: 'Ada' }] },
			}),
		);
		expect(created).toHaveLength(1);
		return task?.hints ?? [];
	};

	test('says that it takes one notification only', async () => {
		const hints = await hintsOf('http://127.0.0.1:5678/webhook-test/1/webhook');
		expect(hints).toEqual([
			{
				type: 'warning',
				location: 'outputPane',
				message: containing('test URL: it takes one notification only'),
			},
		]);
	});

	test('is not given for a production URL', async () => {
		expect(await hintsOf('http://127.0.0.1:5678/webhook/1/webhook')).toEqual([]);
	});
});

test.each(['create', 'get'])(
	'a guest link that the service sends after a %s does not take the place of the real one',
	async (operation) => {
		const response = { guestLink: 'https://elsewhere.example.com', _id: '1', title: 'Title' };
		await withFaultServer(json(200, response), async ({ url }) => {
			const item = await runOk({
				parameters: { resource: 'collectionRequest', operation, templateId: 't1', requestId: '1' },
				credential: { productionBaseUrl: url },
			});
			expect(Object.keys(item)).toEqual(['requestId', 'guestLink', '_id', 'title']);
			expect(item.guestLink).toBe('https://collect.example.com/request/1');
		});
	},
);

test('an unknown field of the answer passes through, a name that every object inherits does not', async () => {
	const answer = JSON.parse(
		'{"_id":"1","__proto__":{"polluted":1},"newField":{"a":[1]}}',
	) as object;
	await withFaultServer(json(200, answer), async ({ url }) => {
		const parameters = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
		const created = await runOk({ parameters, credential: { productionBaseUrl: url } });
		expect(created).toEqual({
			requestId: '1',
			_id: '1',
			newField: { a: [1] },
			guestLink: 'https://collect.example.com/request/1',
		});
		expect('polluted' in {}).toBe(false);
	});
});

test('10,000 participants arrive in one request', async () => {
	const list = Array.from({ length: 10_000 }, (_, index) => ({ email: `p${index}@example.com` }));
	await withFaultServer(json(201, { _id: '1' }), async ({ url, requests }) => {
		await runOk({
			parameters: {
				resource: 'collectionRequest',
				operation: 'create',
				templateId: 't1',
				participantsMode: 'json',
				participantsJson: '={{ $json.list }}',
			},
			input: [{ list }],
			credential: { productionBaseUrl: url },
		});
		expect(requests).toHaveLength(1);
		expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ participantList: list });
		expect(Number(requests[0]?.headers['content-length'])).toBe(requests[0]?.body.length);
	});
});
