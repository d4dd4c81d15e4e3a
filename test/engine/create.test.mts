import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import type { ActionRun } from './support/engine.mts';
import { expectNoSecrets, runAction, runOk } from './support/engine.mts';
import { json } from './support/faultServer.mts';
import { containing, matching, textOf } from '../support/matchers.mts';
import { CREATE, READ } from './support/operations.mts';
import { useSandbox } from './support/sandbox.mts';

const LINK = 'https://collect.example.com/request/r1';
const NONE = 'No participant is invited: Participants is empty.';
const asJson = (list: unknown) => ({
	participantsMode: 'json',
	participantsJson: JSON.stringify(list),
});

describe('against the emulated service', () => {
	const sandbox = useSandbox(['--record-secrets']);

	/** Runs a create and returns the one call that the service received. */
	async function sentBy(parameters: INodeParameters) {
		const { item } = await runOk(sandbox.action({ ...CREATE, ...parameters }));
		const [call, ...others] = await sandbox.calls();
		expect(others).toEqual([]);
		expect(call).toMatchObject({ method: 'POST', url: '/di/collection-request/', status: 201 });
		return { item, body: call?.body, headers: call?.headers };
	}

	test('the response of the service comes out, with the guest link', async () => {
		const { item } = await sentBy({});
		expect(item).toMatchObject({
			_id: matching(/^[0-9a-f]{24}$/),
			shareStatus: 'open',
			template: { _id: 't1' },
			guestLink: `${sandbox.url()}/request/${textOf(item._id)}`,
		});
		expect((await fetch(textOf(item.guestLink))).status).toBe(200);
	});

	test('both headers of the API and JSON are sent', async () => {
		const { headers } = await sentBy({});
		expect(headers).toMatchObject({
			authorization: `Bearer ${CREDENTIAL.apiKey}`,
			tokenid: CREDENTIAL.tokenId,
			'content-type': 'application/json',
		});
	});

	test('the body holds every field that was set', async () => {
		const limits = { minimumParticipants: 2, maximumParticipants: 3 };
		const zoe = { name: 'Zoë 東京', email: 'zoe@example.com', phoneNumber: '+41 44 668 18 00' };
		const nathan = { email: 'nathan@example.com' };
		const webhookUrl = 'http://127.0.0.1:5678/webhook/1/webhook?signature=a%2Fb';
		const { body } = await sentBy({
			templateId: ' t1 ',
			childAccountId: 'c1',
			...limits,
			participants: { participant: [{ ...zoe, isAdmin: true }, nathan] },
			notify: 'trigger',
			webhookUrl,
			additionalFields: { webhookIdentifier: 'onboarding' },
		});
		expect(body).toEqual({
			templateId: 't1',
			childAccountId: 'c1',
			...limits,
			participantList: [
				{ ...zoe, isAdmin: true },
				{ ...nathan, isAdmin: false },
			],
			webhookUrl,
			webhookSecret: CREDENTIAL.webhookSecret,
			webhookIdentifier: 'onboarding',
		});
	});

	test('it leaves out what was not set', async () => {
		const limits = { minimumParticipants: '={{ null }}', maximumParticipants: '={{ "  " }}' };
		expect((await sentBy(limits)).body).toEqual({ templateId: 't1' });
	});

	test.each<[string, INodeParameters[string], unknown]>([
		['a JSON text', '[{ "name": "Ada" }]', [{ name: 'Ada' }]],
		['an expression that gives a list', '={{ [{ name: "Ada" }] }}', [{ name: 'Ada' }]],
		['one that gives a text', '={{ JSON.stringify([{ name: "Ada" }]) }}', [{ name: 'Ada' }]],
		['nothing', '', undefined],
		['an empty list', '[]', undefined],
		['spaces', '  ', undefined],
	])('it takes participants from %s', async (_title, participantsJson, participantList) => {
		const { body } = await sentBy({ participantsMode: 'json', participantsJson });
		// The limits are those of the editor.
		const limits = { minimumParticipants: 1, maximumParticipants: 10 };
		expect(body).toEqual({ templateId: 't1', ...limits, participantList });
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
	const webhook = { notify: 'trigger', webhookUrl: 'https://n8n.example.com/webhook/1/webhook' };
	const run = { parameters: { ...CREATE, ...webhook }, answer: json(201, echo) };
	const { item, requests, ...outcome } = await runOk(run);
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
	expectNoSecrets(outcome.run);
});

/** A create that succeeds, with the participants that it sent. */
async function create(parameters: INodeParameters, more: Partial<ActionRun> = {}) {
	const answer = json(201, { _id: 'r1', title: 'Title' });
	const run = await runAction({ parameters: { ...CREATE, ...parameters }, answer, ...more });
	expect(run.error).toBeUndefined();
	const lists = run.requests.map(
		({ body }) => (JSON.parse(body) as { participantList?: IDataObject[] }).participantList,
	);
	return { ...run, lists, messages: run.hints.map(({ message }) => message) };
}

describe('one item for each participant', () => {
	const output = 'participants';

	test('as entered, with the request ID and the guest link first', async () => {
		const ada = { name: 'Ada', email: ' ada@example.com', phoneNumber: '', isAdmin: true };
		const other = { name: '', email: '', phoneNumber: '+41 1', isAdmin: false };
		const run = await create({ output, participants: { participant: [ada, other] } });
		const about = { requestId: 'r1', guestLink: LINK };
		expect(run.json).toEqual([
			{ ...about, ...ada, email: 'ada@example.com', phoneNumber: null },
			{ ...about, ...other, name: null, email: null },
		]);
		expect(Object.keys(run.json[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
	});

	test('of several input items, each paired with its own', async () => {
		const people = asJson([{ name: 'Ada' }, { name: 'Zoe' }]);
		const { items } = await create({ output, ...people }, { input: [{}, {}] });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1].map((item) => ({ item })),
		);
	});

	test('of nobody: no item, and a hint', async () => {
		expect(await create({ output })).toMatchObject({ json: [], messages: [NONE] });
	});
});

describe('the hint', () => {
	test('about nobody invited: one for all items', async () => {
		const run = await create({}, { input: [{}, {}, {}] });
		expect([run.json.length, run.messages]).toEqual([3, [NONE]]);
	});

	const N8N = 'https://n8n.example.com';
	test.each([
		['', []],
		[`${N8N}/webhook/1/webhook`, []],
		[`${N8N}/webhook-waiting/1?signature=2`, []],
		[`${N8N}/prefix/webhook/1/webhook`, []],
		[`${N8N}/1`, [matching(/^Webhook URL has no \/webhook\/ in its path/)]],
		[`${N8N}/webhook-test/1/webhook`, [containing('test URL: it takes one notification only')]],
	])('about the Webhook URL "%s" is %j', async (webhookUrl, messages) => {
		const notify = webhookUrl && { notify: 'trigger', webhookUrl };
		expect((await create({ ...notify, ...asJson([{ name: 'Ada' }]) })).messages).toEqual(messages);
	});
});

describe('an entry of the participants', () => {
	test('with nothing in it is left out: the optional person of a form', async () => {
		const empty = { name: ' ', email: '', phoneNumber: '', isAdmin: false };
		const fromFields = await create({ participants: { participant: [{ name: 'Ada' }, empty] } });
		expect(fromFields.lists).toEqual([[{ name: 'Ada', isAdmin: false }]]);
		const fromJson = await create(asJson([{ email: null, name: '' }, { name: 'Ada' }, {}]));
		expect(fromJson.lists).toEqual([[{ name: 'Ada' }]]);
	});

	test('with other fields beside a known one is sent as it is', async () => {
		const list = [{ email: 'ada@example.com', language: 'de' }];
		expect((await create(asJson(list))).lists).toEqual([list]);
	});
});

test.each([
	['create', CREATE],
	['get', { ...READ, requestId: 'r1' }],
])(
	'a guest link that the service sends after a %s does not take the place of the real one',
	async (_operation, parameters) => {
		const answer = json(200, { guestLink: 'https://elsewhere.example.com', _id: 'r1', title: 'x' });
		const { item } = await runOk({ parameters, answer });
		expect(Object.entries(item)).toEqual([
			['requestId', 'r1'],
			['guestLink', LINK],
			['_id', 'r1'],
			['title', 'x'],
		]);
	},
);

test('an unknown field of the response passes through, a name that every object inherits does not', async () => {
	const response = '{"_id":"r1","__proto__":{"polluted":1},"newField":{"a":[1]}}';
	const answer = json(200, JSON.parse(response));
	const { item } = await runOk({ parameters: CREATE, answer });
	expect(item).toEqual({ requestId: 'r1', _id: 'r1', newField: { a: [1] }, guestLink: LINK });
	expect('polluted' in {}).toBe(false);
});

test('200,000 participants arrive in one request, and take a bounded memory', async () => {
	const list = Array.from({ length: 200_000 }, (_, n) => ({ name: `P${n}`, email: `p${n}@a.org` }));
	const text = JSON.stringify(list);
	const before = process.memoryUsage().heapUsed;
	const { json: items, lists, requests } = await create(asJson(list));
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * text.length);
	expect(items).toMatchObject([{ _id: 'r1' }]);
	expect(JSON.stringify(lists)).toBe(`[${text}]`);
	expect(Number(requests[0]?.headers['content-length'])).toBe(requests[0]?.body.length);
});
