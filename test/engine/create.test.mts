import type { INodeParameters } from 'n8n-workflow';
import { containing, matching } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import {
	beforeExecution,
	expectNoSecrets,
	runAction,
	runOk,
	type ActionRun,
} from './support/engine.mts';
import { json, text } from './support/faultServer.mts';
import { CREATE } from './support/operations.mts';

const LINK = 'https://collect.example.com/request/r1';
const HOOK = 'https://n8n.example.com/webhook/1/webhook?signature=a%2Fb';
const NONE = 'No participant is invited: Participants is empty.';
/** What is sent for up to one invited person if no limits are set. */
const LIMITS = { minimumParticipants: 1, maximumParticipants: 10 };

const list = (participantsJson: string) => ({ participantsMode: 'json', participantsJson });
const asJson = (people: unknown) => list(JSON.stringify(people));
const entries = (...participant: INodeParameters[]) => ({ participants: { participant } });

/** Runs a create that succeeds; also returns the bodies that it sent. */
async function create(parameters: INodeParameters, more: Partial<ActionRun> = {}) {
	const answer = json(201, { _id: 'r1', title: 'Title' });
	const run = await runAction({ parameters: { ...CREATE, ...parameters }, answer, ...more });
	expect(run.error).toBeUndefined();
	const bodies = run.requests.map(({ body }) => JSON.parse(body) as object);
	return { ...run, bodies, messages: run.hints.map(({ message }) => message) };
}

describe('what is sent', () => {
	const zoe = { name: 'Zoë 東京', email: 'zoe@example.com', phoneNumber: '+41 44 668 18 00' };
	const admin = { ...zoe, isAdmin: true };
	const nathan = { email: 'nathan@example.com' };
	const empty = { name: ' ', email: '', phoneNumber: '', isAdmin: false };
	const limits = { minimumParticipants: 2, maximumParticipants: 3 };
	const additionalFields = { childAccountId: 'c1', ...limits, webhookIdentifier: 'onboarding' };
	const ada = [{ name: 'Ada' }];

	test.each<[string, INodeParameters, object]>([
		[
			'every field that was set',
			{
				templateId: ' t1 ',
				...entries(admin, nathan),
				notify: 'trigger',
				webhookUrl: HOOK,
				additionalFields,
			},
			{
				...additionalFields,
				participantList: [admin, { ...nathan, isAdmin: false }],
				webhookUrl: HOOK,
				webhookSecret: CREDENTIAL.webhookSecret,
			},
		],
		[
			'a switch that an expression gives as text',
			entries({ name: 'Ada', isAdmin: '={{ "true" }}' }),
			{ ...LIMITS, participantList: [{ name: 'Ada', isAdmin: true }] },
		],
		[
			'people of whom only the email is given',
			asJson(['ada@example.com', ' ', 'ben@example.com']),
			{
				minimumParticipants: 2,
				maximumParticipants: 10,
				participantList: [{ email: 'ada@example.com' }, { email: 'ben@example.com' }],
			},
		],
		[
			'no entry with nothing in it: the optional person of a form',
			entries({ name: 'Ada' }, empty),
			{ ...LIMITS, participantList: [{ name: 'Ada', isAdmin: false }] },
		],
		['a list', list('={{ [{ name: "Ada" }] }}'), { ...LIMITS, participantList: ada }],
		[
			'a list that is a text',
			list('={{ JSON.stringify([{ name: "Ada" }]) }}'),
			{ ...LIMITS, participantList: ada },
		],
		[
			'a text with a list in place of the fields',
			{ participants: '={{ JSON.stringify([{ name: "Ada" }]) }}' },
			{ ...LIMITS, participantList: ada },
		],
		[
			'what such an expression gives in the form of the fields',
			{ participants: '={{ ({ participant: [{ name: "Ada" }] }) }}' },
			{ ...LIMITS, participantList: [{ isAdmin: false, name: 'Ada' }] },
		],
		[
			'nothing for empty cells of a list',
			{ additionalFields: { childAccountId: '={{ "" }}', webhookIdentifier: ' ' } },
			LIMITS,
		],
		['no empty text', list('  '), LIMITS],
	])('%s', async (_title, parameters, body) => {
		const { bodies, requests } = await create(parameters);
		expect(bodies).toEqual([{ templateId: 't1', ...body }]);
		const headers = {
			authorization: `Bearer ${CREDENTIAL.apiKey}`,
			tokenid: CREDENTIAL.tokenId,
			'content-type': 'application/json',
		};
		expect(requests).toMatchObject([{ method: 'POST', url: '/di/collection-request/', headers }]);
	});

	const person = (n: number) => ({ email: `p${n}@example.com` });
	const people = (count: number) => Array.from({ length: count }, (_, n) => person(n));
	const sameEmail = [person(1), { email: ' P1@example.com', name: 'Again' }];

	test.each<[string, object[], INodeParameters, sent: [number, number]]>([
		['nobody', [], {}, [1, 10]],
		['one person', people(1), {}, [1, 10]],
		['twelve people', people(12), {}, [12, 12]],
		['two, and an empty entry', [{ name: ' ' }, ...people(2)], {}, [2, 10]],
		['one person twice', sameEmail, {}, [1, 10]],
		['people without an email', [{ name: 'A' }, { name: 'A' }], {}, [2, 10]],
		['three, and a minimum', people(3), { minimumParticipants: 2 }, [2, 10]],
		['nobody, and a minimum above 10', [], { minimumParticipants: 12 }, [12, 12]],
		['nobody, and a maximum of 0', [], { maximumParticipants: 0 }, [0, 0]],
		[
			'three, and empty cells of a list',
			people(3),
			{ minimumParticipants: '={{ "" }}', maximumParticipants: '={{ "  " }}' },
			[3, 10],
		],
	])('the limits for %s', async (_who, invited, additionalFields, sent) => {
		const { bodies } = await create({ ...asJson(invited), additionalFields });
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
	const parameters = { ...CREATE, notify: 'trigger', webhookUrl: HOOK };
	const { item, requests, run } = await runOk({ parameters, answer: json(201, echo) });
	expect(item).toEqual({
		requestId: 'r1',
		guestLink: LINK,
		_id: 'r1',
		webhook: { note: 'signed with (hidden)' },
		keys: ['(hidden)', '(hidden)'],
	});
	expect(requests).toHaveLength(1);
	expect(requests[0]?.body.split(secret)).toHaveLength(2);
	expect(JSON.stringify({ ...requests[0], body: '' })).not.toContain(secret);
	expectNoSecrets(run);
});

describe('one item for each participant', () => {
	const output = 'participants';

	test('as entered, with the request ID and the guest link first', async () => {
		const ada = { name: 'Ada', email: ' ada@example.com', phoneNumber: '', isAdmin: true };
		const other = { name: '', email: '', phoneNumber: '+41 1', isAdmin: false };
		const run = await create({ output, ...entries(ada, other) });
		const about = { requestId: 'r1', guestLink: LINK };
		expect(run.json).toEqual([
			{ ...about, ...ada, email: 'ada@example.com', phoneNumber: null },
			{ ...about, ...other, name: null, email: null },
		]);
		expect(Object.keys(run.json[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
	});

	test('of nobody: the collection request itself, so that its ID is not lost, and a hint', async () => {
		const item = { requestId: 'r1', guestLink: LINK, _id: 'r1' };
		expect(await create({ output })).toMatchObject({ json: [item], messages: [NONE] });
	});
});

describe('an item whose parameters cannot be read', () => {
	const input = [{ output: 'collectionRequest' }, { output: 'participant' }, {}];
	const answer = json(201, { _id: 'r1' });

	test.each([
		['a field with another value than its choices', '={{ $json.output ?? "participants" }}'],
		[
			'an expression that throws',
			'={{ $json.output === "participant" ? $("Nowhere").item : "participants" }}',
		],
	])('stops everything before anything is created: %s', async (_what, output) => {
		const run = await runAction({ parameters: { ...CREATE, output }, input, answer });
		expect({ failed: run.error?.context.itemIndex, sent: run.sent }).toEqual({
			failed: 1,
			sent: 0,
		});
	});

	test('fails alone with Continue On Fail, and what is created comes out', async () => {
		const parameters = { ...CREATE, output: '={{ $json.output ?? "participants" }}' };
		const settings = { onError: 'continueRegularOutput' } as const;
		const run = await runAction({ parameters, input, answer, settings });
		const created = expect.objectContaining({ requestId: 'r1' }) as unknown;
		const failed = {
			error: containing('Output is not one of its choices: "'),
			message: containing('participants (Participants)'),
		};
		expect([run.json, run.sent]).toEqual([[created, failed, created], 2]);
	});
});

test('an ID in a response that cannot be used is named: a number', async () => {
	const { error } = await runAction({ parameters: CREATE, answer: json(201, { _id: 123456 }) });
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

test.each([
	['participantList.0.email must be an email', 'email of participant 2 must be an email'],
	['participantList[1].email is invalid', 'email of participant 4 is invalid'],
	['/participantList/1/phoneNumber: too short', 'phoneNumber of participant 4: too short'],
	['body/participantList/1/email must match format', 'email of participant 4 must match format'],
	['participantList.1 is refused', 'participant 4 is refused'],
	[
		{ path: ['participantList', 1, 'email'], message: 'Invalid' },
		'email of participant 4: Invalid',
	],
	[{ loc: ['body', 'participantList', 0], msg: 'Invalid' }, 'participant 2: Invalid'],
	[{ path: '/di/collection-request/', message: 'Invalid' }, 'Invalid'],
	['participantList must not be empty', 'participantList must not be empty'],
])('the service says %j: the participants are named as they were entered', async (said, quote) => {
	const people = asJson([{}, 'a@example.com', '<a@example.com>', 'b@example.com']);
	const answer = json(422, { message: [said] });
	const { error } = await runAction({ parameters: { ...CREATE, ...people }, answer });
	expect(error?.description).toContain(`The service says: "${quote}".`);
});

describe('the hint', () => {
	test('about a field of the input whose name has a byte order mark', async () => {
		const input = ['\ufeffemail', 'email', '\ufeffoffice', ' email'].map((name) => ({
			[name]: 'a@example.com',
		}));
		const person = '={{ [{ name: "Ada", email: $json.email }] }}';
		const output = 'collectionRequest';
		const run = await create({ ...list(person), output }, { input });
		expect(run.messages).toEqual([
			'$json.email finds nothing for items 1 and 4: in the input, the name of this field has a space or an invisible character. Rename it before this node, or drag it from the input into the parameter.',
		]);
		const whole = await create({ ...list('={{ [$json] }}'), output }, { input: input.slice(0, 2) });
		expect(whole.bodies).toMatchObject(
			Array(2).fill({ participantList: [{ email: 'a@example.com' }] }),
		);
		expect(whole.messages).toEqual([]);
	});

	test('about people who are there more than once: each is sent once, and counts once', async () => {
		const people = asJson(['a@example.com', { email: '<A@example.com>', name: 'Ada' }]);
		const additionalFields = { maximumParticipants: 1 };
		const run = await create({ ...people, additionalFields });
		const participantList = [{ email: 'a@example.com', name: 'Ada' }];
		expect(run.bodies).toMatchObject([{ participantList, maximumParticipants: 1 }]);
		expect(run.json).toMatchObject(participantList);
		expect(run.messages).toEqual([matching(/^2 entries are 1 person: a@example\.com is there/)]);
	});

	const two = asJson([{ email: 'a@example.com' }, { email: 'b@example.com' }]);
	test.each([
		[2, []],
		[3, [containing('(3) is above the number of invited people (2)')]],
	])('about a minimum of %i for two people is %j', async (minimumParticipants, messages) => {
		const run = await create({ ...two, additionalFields: { minimumParticipants } });
		expect(run.messages).toEqual(messages);
	});

	const oneWithout = [{ email: 'a@example.com' }, { name: 'Ada' }];
	test.each([
		['participants', oneWithout, [containing('has no email')]],
		['participants', oneWithout.slice(0, 1), []],
		['collectionRequest', oneWithout, []],
	])('about somebody without an email: output %s, %j', async (output, people, messages) => {
		const run = await create({ ...asJson(people), output });
		expect(run.messages).toEqual(messages);
	});

	const N8N = 'https://n8n.example.com';
	test.each([
		[HOOK, []],
		[`${N8N}/webhook-waiting/1?signature=2`, []],
		[`${N8N}/prefix/webhook/1/webhook`, []],
		[`${N8N}/1`, [matching(/^Webhook URL has no \/webhook\/ in its path/)]],
		[`${N8N}/webhook-test/1/webhook`, [containing('test URL: it accepts only one notification')]],
	])('about the Webhook URL "%s" is %j', async (webhookUrl, messages) => {
		const people = asJson([{ email: 'ada@example.com' }]);
		const run = await create({ ...people, notify: 'trigger', webhookUrl });
		expect(run.messages).toEqual(messages);
	});
});

test('what comes out is what the service sent, but for harmful names', async () => {
	const response = '{"guestLink":"x","_id":"r1","__proto__":{"polluted":1},"new":[1]}';
	const { item } = await runOk({ parameters: CREATE, answer: text(200, response) });
	expect(Object.entries(item)).toEqual([
		['requestId', 'r1'],
		['guestLink', LINK],
		['_id', 'r1'],
		['new', [1]],
	]);
	expect('polluted' in {}).toBe(false);
});
