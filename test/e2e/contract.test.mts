import { readExample } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { sign } from '../support/delivery.mts';
import { n8nUrl, rest, service } from '../support/environment.mts';
import { newestExecution } from '../support/executions.mts';
import { matching } from '../support/matchers.mts';
import { ada, ben } from '../support/people.mts';
import { KEYS } from '../support/service/api.mts';
import { unpublish } from '../support/trigger.mts';
import { chain, setNode, webhookNode } from '../support/workflows.mts';

// The service of the tests and the practice service, which people meet, are held to the same table.

const SECRET = 'the secret of this contract';
const receiver = webhookNode();
const webhookUrl = `${n8nUrl}/webhook/${String(receiver.parameters.path)}`;
const received = await publish(
	rest,
	await rest.createWorkflow(chain('Contract: receiver', [receiver, setNode('Next', 'seen', '')])),
);
const practice = await publish(
	rest,
	await rest.createWorkflow(await readExample('practice-service')),
);
const practiceUrl = `${n8nUrl}/webhook/data-collection-practice`;
afterAll(() => unpublish(practice));

const ID = matching(/^[0-9a-f]{24}$/);
const TIME = matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const REFUSED = { message: matching(/./) };
const naming = (field: string) => ({ message: matching(new RegExp(field)) });

const participantList = [{ ...ada, phoneNumber: '+41 44 000 00 00', isAdmin: true }, ben];
const limits = { minimumParticipants: 2, maximumParticipants: 2 };
const webhookIdentifier = 'Contract';
const webhook = { webhookUrl, webhookSecret: SECRET, webhookIdentifier };
const CREATE = { templateId: 't1', ...limits, participantList, ...webhook };

const REQUEST = {
	_id: ID,
	account_id: ID,
	title: webhookIdentifier,
	participantList: [ada, ben].map(({ email }) => ({ email })),
	...limits,
	shareStatus: 'open',
	createTime: TIME,
	template: { _id: 't1', purpose: 'practice' },
};
const account = (more: Json) => {
	const nothing = { email: null, phoneNumber: null, displayPictureUrl: null };
	return { _id: ID, ...nothing, parentAccountId: null, ...more };
};
const user = (roles: string[], more: Json) => {
	return { account_id: ID, accountType: 'user', accountSnapshot: account(more), roles };
};
const answered = (value: string) => [
	{ label: 'Delivery address', value, isMandatory: true, type: 'text' },
	{ label: 'Remarks', value: '', isMandatory: false, type: 'text' },
];
const submission = (name: string) => ({
	remark: 'Answers submitted',
	updatedByAccount_id: ID,
	updatedByAccountType: 'user',
	updatedByAccountSnapshot: { name },
	updateTime: TIME,
});
const ORGANISATION = {
	account_id: ID,
	accountType: 'organisation',
	accountSnapshot: account({ name: 'Practice Organisation' }),
	roles: ['organiser'],
	parentAccount_id: ID,
};
const shareWith = (status: string, people: Array<{ name: string; user: unknown }>) => ({
	_id: ID,
	deleteTime: null,
	schemaVersion: '1.0',
	participants: [ORGANISATION, ...people.map((person) => person.user)],
	otherFields: people.flatMap(({ name }) => answered(`Address of ${name}`)),
	template: { _id: 't1', purpose: 'practice', type: 'form' },
	isQuotaLocked: false,
	status,
	agreements: [],
	updateLogs: people.map(({ name }) => submission(name)),
	isPublicJoin: false,
	collectionRequestId: ID,
	createTime: TIME,
	lastUpdateTime: TIME,
	__v: people.length,
});
const ADA = {
	name: ada.name,
	user: user(['admin', 'sharer'], { ...ada, phoneNumber: '+41 44 000 00 00' }),
};
const BEN = { name: ben.name, user: user(['sharer'], ben) };

const posting = 'POST collection-request/';
const reading = 'GET collection-request/<requestId>';
const readingShare = 'GET share/<shareId>';

/** What is asked, in this order, and what comes. `<requestId>` and `<shareId>` are those of earlier responses. */
const TABLE: Array<[request: string, body: Json | undefined, status: number, response: unknown]> = [
	['GET share/unknown', undefined, 404, REFUSED],
	['GET collection-request/unknown', undefined, 404, REFUSED],
	['GET share/unknown with a wrong key', undefined, 401, REFUSED],
	[posting, {}, 400, naming('templateId')],
	[posting, { ...CREATE, maximumParticipants: '2' }, 400, naming('maximumParticipants')],
	[posting, { ...CREATE, participantList: [{ email: 1 }] }, 400, naming('participantList')],
	[posting, CREATE, 201, { _id: ID }],
	[reading, undefined, 200, REQUEST],
	['Ada submits', undefined, 200, notified('open')],
	['Ada submits again', undefined, 200, 'nothing'],
	[reading, undefined, 200, { ...REQUEST, shareId: ID }],
	[readingShare, undefined, 200, shareWith('open', [ADA])],
	['Ben submits', undefined, 200, notified('completed')],
	[reading, undefined, 200, { ...REQUEST, shareId: ID, shareStatus: 'completed' }],
	[readingShare, undefined, 200, shareWith('completed', [ADA, BEN])],
];

/** A notification as it arrives. */
function notified(shareStatus: string) {
	const about = { event: 'collection_request.updated', requestId: ID, shareStatus };
	return {
		headers: {
			'content-type': 'application/json',
			'user-agent': 'svc-webhooks/1.0',
			'x-svc-signature': matching(/^[0-9a-f]{64}$/),
			'x-svc-timestamp': matching(/^\d{13}$/),
			'x-svc-event': 'collection_request.updated',
			'x-svc-delivery-id': matching(/./),
		},
		body: { ...about, webhookIdentifier, timestamp: matching(/^\d{13}$/) },
	};
}

/** One of the two: how its API is called with a key, and how somebody submits its form. */
interface StandIn {
	url: string;
	keys: typeof KEYS;
	submit: (requestId: string, person: typeof ada, value: string) => unknown;
}

let notifications = 0;
/** The next notification, with the headers that the service decides on; its signature must be right. */
async function nextNotification() {
	const execution = await newestExecution(received.id, (notifications += 1));
	const [{ headers, body } = {}] = outputOf(execution, receiver.name) as [Record<string, Json>?];
	const names = /^(content-type|user-agent|x-svc-.*)$/;
	const shown = Object.entries(headers ?? {}).filter(([name]) => names.test(name));
	const signature = sign(SECRET, String(headers?.['x-svc-timestamp']), JSON.stringify(body));
	expect(headers?.['x-svc-signature']).toBe(signature);
	return { headers: Object.fromEntries(shown), body };
}

/** Does what the table says, in order; resolves to the table with what has come. */
async function play({ url, keys, submit }: StandIn) {
	const learned: Json = {};
	const played = [];
	for (const [request, body, , response] of TABLE) {
		const [method = '', target = ''] = request.split(' ');
		const person = { Ada: ada, Ben: ben }[method];
		if (person !== undefined) {
			await submit(String(learned.requestId), person, `Address of ${person.name}`);
			const isNotified = response !== 'nothing';
			played.push([request, body, 200, isNotified ? await nextNotification() : 'nothing']);
			continue;
		}
		const path = target.replace(/<(\w+)>/, (_, name: string) => String(learned[name]));
		const tokenId = request.endsWith('with a wrong key') ? 'wrong' : keys.tokenId;
		const called = await fetch(`${url}/di/${path}`, {
			method,
			headers: {
				authorization: `Bearer ${keys.apiKey}`,
				tokenId,
				'content-type': 'application/json',
			},
			body: body && JSON.stringify(body),
		});
		const said = (await called.json()) as Json;
		learned.requestId ??= said._id;
		learned.shareId ??= said.shareId;
		played.push([request, body, called.status, said]);
	}
	return played;
}

test('the service of the tests responds and reports as the table says', async () => {
	const { url, submit } = service;
	expect(await play({ url, keys: KEYS, submit })).toEqual(TABLE);
});

test('the practice service responds and reports as the table says', async () => {
	const submit = async (id: string, { email }: typeof ada, value: string) => {
		const body = new URLSearchParams({ who: email, answer0: value });
		const { status } = await fetch(`${practiceUrl}/request/${id}`, { method: 'POST', body });
		expect(status).toBe(200);
	};
	const keys = { apiKey: 'practice-key', tokenId: 'practice-key' };
	expect(await play({ url: practiceUrl, keys, submit })).toEqual(TABLE);
});
