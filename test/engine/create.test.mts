import type { INodeParameters } from 'n8n-workflow';
import { containing, matching } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { beforeExecution, runAction, type ActionRun } from './support/engine.mts';
import { json, text } from './support/faultServer.mts';

const LINK = 'https://collect.example.com/request/r1';
// Nothing listens there.
const HOOK = 'http://127.0.0.1:9/webhook/1/webhook?signature=a%2Fb';

const list = (participantsJson: string) => ({ participantsMode: 'json', participantsJson });
const asJson = (...people: unknown[]) => list(JSON.stringify(people));
const entries = (...participant: INodeParameters[]) => ({ participants: { participant } });

/** Creates from the template t1; also returns the bodies that were sent, and the texts of the hints. */
async function create(parameters: INodeParameters = {}, more: Partial<ActionRun> = {}) {
	const own = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
	const answer = json(201, { _id: 'r1' });
	const run = await runAction({ parameters: { ...own, ...parameters }, answer, ...more });
	const bodies = run.requests.map(({ body }) => JSON.parse(body) as object);
	return { ...run, bodies, messages: run.hints.map(({ message }) => message) };
}

describe('what is sent', () => {
	const zoe = { name: 'Zoë 東京', email: 'zoe@example.com', phoneNumber: '+41 44 668 18 00' };
	const nathan = { email: 'nathan@example.com' };
	const nobody = { name: ' ', email: '', phoneNumber: '', isAdmin: false };
	const limits = { minimumParticipants: 2, maximumParticipants: 3 };
	const additionalFields = { childAccountId: 'c1', ...limits, webhookIdentifier: 'onboarding' };
	const ada = { participantList: [{ name: 'Ada' }] };

	test.each<[string, INodeParameters, object]>([
		[
			'every field that was set',
			{
				templateId: ' t1 ',
				...entries({ ...zoe, isAdmin: true }, nathan),
				notify: 'trigger',
				webhookUrl: HOOK,
				additionalFields,
			},
			{
				...additionalFields,
				participantList: [
					{ ...zoe, isAdmin: true },
					{ ...nathan, isAdmin: false },
				],
				webhookUrl: HOOK,
				webhookSecret: CREDENTIAL.webhookSecret,
			},
		],
		[
			'no entry with nothing in it: the optional person of a form',
			entries({ name: 'Ada', isAdmin: '={{ "true" }}' }, nobody),
			{ participantList: [{ name: 'Ada', isAdmin: true }] },
		],
		['a list', list('={{ [{ name: "Ada" }] }}'), ada],
		['a list that is a text', list('[{ "name": "Ada" }]'), ada],
		['such a text in place of the fields', { participants: '[{ "name": "Ada" }]' }, ada],
		[
			'what an expression gives in the form of the fields',
			{ participants: '={{ ({ participant: [{ name: "Ada" }] }) }}' },
			{ participantList: [{ isAdmin: false, name: 'Ada' }] },
		],
		[
			'nothing for empty cells of a list',
			{ additionalFields: { childAccountId: '={{ "" }}', webhookIdentifier: ' ' } },
			{},
		],
		['no empty text', list('  '), {}],
	])('%s', async (_title, parameters, body) => {
		const { bodies, requests } = await create(parameters);
		const defaults = { minimumParticipants: 1, maximumParticipants: 10 };
		expect(bodies).toEqual([{ templateId: 't1', ...defaults, ...body }]);
		const headers = {
			authorization: `Bearer ${CREDENTIAL.apiKey}`,
			tokenid: CREDENTIAL.tokenId,
			'content-type': 'application/json',
		};
		expect(requests).toMatchObject([{ method: 'POST', url: '/di/collection-request/', headers }]);
	});

	test.each<[string, people: number, INodeParameters, sent: [number, number]]>([
		['nobody', 0, {}, [1, 10]],
		['two people', 2, {}, [2, 10]],
		['twelve people', 12, {}, [12, 12]],
		['three, and a minimum', 3, { minimumParticipants: 2 }, [2, 10]],
		['nobody, and a minimum above 10', 0, { minimumParticipants: 12 }, [12, 12]],
		['nobody, and a maximum of 0', 0, { maximumParticipants: 0 }, [0, 0]],
		[
			'three, and empty cells of a list',
			3,
			{ minimumParticipants: '={{ "" }}', maximumParticipants: '={{ "  " }}' },
			[3, 10],
		],
	])('the limits for %s', async (_who, people, additionalFields, sent) => {
		const invited = Array.from({ length: people }, (_, n) => `p${n}@example.com`);
		const { bodies } = await create({ ...asJson(...invited), additionalFields });
		const [minimumParticipants, maximumParticipants] = sent;
		expect(bodies).toMatchObject([{ minimumParticipants, maximumParticipants }]);
	});
});

test('the webhook secret is in the POST body and nowhere else, even if the service echoes it', async () => {
	const secret = CREDENTIAL.webhookSecret;
	const echo = {
		_id: 'r1',
		webhookSecret: secret,
		webhook: { webhookSecret: secret, note: `signed with ${secret}` },
		keys: [CREDENTIAL.apiKey, CREDENTIAL.tokenId],
	};
	const reported = { notify: 'trigger', webhookUrl: HOOK };
	const { json: items, requests } = await create(reported, { answer: json(201, echo) });
	const webhook = { note: 'signed with (hidden)' };
	const keys = ['(hidden)', '(hidden)'];
	expect(items).toEqual([{ requestId: 'r1', guestLink: LINK, _id: 'r1', webhook, keys }]);
	expect(requests).toHaveLength(1);
	expect(requests[0]?.body.split(secret)).toHaveLength(2);
	expect(JSON.stringify({ ...requests[0], body: '' })).not.toContain(secret);
});

test('what comes out is what the service sent, but for harmful names', async () => {
	const response = '{"guestLink":"x","_id":"r1","__proto__":{"polluted":1},"new":[1]}';
	const { json: items } = await create({}, { answer: text(200, response) });
	const item = { requestId: 'r1', guestLink: LINK, _id: 'r1', new: [1] };
	expect(items.map((one) => Object.entries(one))).toEqual([Object.entries(item)]);
	expect('polluted' in {}).toBe(false);
});

describe('one item for each participant', () => {
	test('as entered, with the request ID and the guest link first', async () => {
		const ada = { name: 'Ada', email: ' ada@example.com', phoneNumber: '', isAdmin: true };
		const other = { name: '', email: '', phoneNumber: '+41 1', isAdmin: false };
		const run = await create({ output: 'participants', ...entries(ada, other) });
		const about = { requestId: 'r1', guestLink: LINK };
		expect(run.json).toEqual([
			{ ...about, ...ada, email: 'ada@example.com', phoneNumber: null },
			{ ...about, ...other, name: null, email: null },
		]);
		expect(Object.keys(run.json[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
	});

	test('of nobody: the collection request itself, so that its ID is not lost, and a hint', async () => {
		expect(await create({ output: 'participants' })).toMatchObject({
			json: [{ requestId: 'r1', guestLink: LINK, _id: 'r1' }],
			messages: [containing('No participant is invited: Participants is empty.')],
		});
	});
});

describe('an item whose parameters cannot be read', () => {
	const input = [{ output: 'collectionRequest' }, { output: 'participant' }, {}];
	const output = '={{ $json.output ?? "participants" }}';

	test.each([
		['another value than its choices', output],
		[
			'an expression that throws',
			'={{ $json.output === "participant" ? $("Nowhere").item : "participants" }}',
		],
	])('stops everything before anything is created: %s', async (_what, given) => {
		const { error, sent } = await create({ output: given }, { input });
		expect({ failed: error?.context.itemIndex, sent }).toEqual({ failed: 1, sent: 0 });
	});

	test('fails alone with Continue On Fail, and what is created comes out', async () => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const run = await create({ output }, { input, settings });
		const failed = {
			error: containing('Output is not one of its choices: "'),
			message: containing('participants (Participants)'),
		};
		expect(run.json).toMatchObject([{ requestId: 'r1' }, failed, { requestId: 'r1' }]);
		expect(run.sent).toBe(2);
	});
});

test('an ID in a response that cannot be used is named: a number', async () => {
	const { error } = await create({}, { answer: json(201, { _id: 123456 }) });
	expect(error?.message).toMatch(/The collection request may have been created anyway$/);
	expect(error?.description).toContain('The response has the ID "123456".');
});

test('reading the parameters of many items lets other work of n8n have its turn', async () => {
	const other = jest.fn();
	const readings: jest.SpyInstance[] = [];
	beforeExecution((context) => {
		readings.push(jest.spyOn(context, 'getNodeParameter'));
		setImmediate(other);
	});
	await create({ options: { concurrency: 1 } }, { input: Array.from({ length: 20 }, () => ({})) });
	const [turn = NaN] = other.mock.invocationCallOrder;
	const order = readings[0]?.mock.invocationCallOrder ?? [];
	expect(turn).toBeGreaterThan(Math.min(...order));
	expect(turn).toBeLessThan(Math.max(...order));
});

describe('the hint', () => {
	test('about people who are there more than once: each is sent once, and counts once', async () => {
		const people = asJson('a@example.com', { email: '<A@example.com>', name: 'Ada' });
		const run = await create({ ...people, additionalFields: { maximumParticipants: 1 } });
		const participantList = [{ email: 'a@example.com', name: 'Ada' }];
		expect(run.bodies).toMatchObject([{ participantList, maximumParticipants: 1 }]);
		expect(run.json).toMatchObject(participantList);
		expect(run.messages).toEqual([matching(/^a@example\.com is there more than once/)]);
	});

	const two = asJson('a@example.com', 'b@example.com');
	const noEmail = asJson('a@example.com', { name: 'Ada' });
	test.each<[string, INodeParameters, unknown[]]>([
		['a minimum of all', { ...two, additionalFields: { minimumParticipants: 2 } }, []],
		[
			'a minimum that is above the number of people',
			{ ...two, additionalFields: { minimumParticipants: 3 } },
			[containing('(3) is above the number of invited people (2)')],
		],
		['a person without an email', noEmail, [containing('has no email')]],
		['the same, not output', { ...noEmail, output: 'collectionRequest' }, []],
	])('about %s', async (_what, parameters, messages) => {
		expect((await create(parameters)).messages).toEqual(messages);
	});
});
