import assert from 'node:assert/strict';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { itemOf, newId, NOTIFICATION_FIELDS, type Payload } from '../support/delivery.mts';
import { serviceUrl } from '../support/environment.mts';
import { newestExecutions, runWorkflow } from '../support/executions.mts';
import { ada, assertBegins, ben, delivered, fillInForm } from '../support/sandboxService.mts';
import { isHardMode, readApi, requestOf } from '../support/sandboxService.mts';
import type { Delivery } from '../../sandbox/service/types.mts';
import { createTrigger } from '../support/trigger.mts';
import { actionNode, chain, manualNode, setNode, triggerName } from '../support/workflows.mts';

const then = [setNode('Edit Fields', 'seen', '={{ $json.shareStatus }}')];
const trigger = await createTrigger({ name: 'E2E on status', then });

/** Unique to this run: the service may still have collection requests from other runs. */
const webhookIdentifier = `main-flow ${newId()}`;
const participants = [
	{ ...ada, phoneNumber: '+41 44 000 00 00', isAdmin: true },
	{ ...ben, phoneNumber: '', isAdmin: false },
];
let requestId: string;
let guestLink: string;

const run = async (parameters: Json) => {
	const nodes = [
		manualNode(),
		actionNode('Data Collection', trigger.credential, parameters),
		setNode('Edit Fields', 'link', '={{ $json.guestLink }}'),
	];
	return await runWorkflow(chain('E2E main flow', nodes));
};
test('creates a request with two participants and gets its guest link', async () => {
	const execution = await run({
		resource: 'collectionRequest',
		operation: 'create',
		templateId: 'e2e-template',
		participantsMode: 'fields',
		participants: { participant: participants },
		notify: 'trigger',
		webhookUrl: trigger.url,
		output: 'collectionRequest',
		additionalFields: { webhookIdentifier },
	});
	const { request } = await requestOf(webhookIdentifier);
	requestId = request._id;
	guestLink = `${serviceUrl}/request/${requestId}`;
	const [created = {}] = outputOf(execution, 'Data Collection');
	expect(created).toStrictEqual({ requestId, guestLink, _id: requestId });
	expect(outputOf(execution, 'Edit Fields')[0]?.link).toBe(guestLink);
	await trigger.assertCount();
});

/** The service's deliveries: the status of each, if it has one, and the trigger's response. */
const usual = { open: ['open accepted'], completed: ['completed accepted'] };
const unheardOf = ['in_review accepted', ' filtered'];
const hard = {
	open: [...unheardOf, 'open accepted', 'open duplicate', 'open accepted'],
	completed: [
		...unheardOf,
		'completed accepted',
		'completed duplicate',
		'completed accepted',
		'open accepted',
	],
};
let seen = 0;

test.each<[which: string, shareStatus: keyof typeof usual, address: string]>([
	['first', 'open', 'Bahnhofstrasse 1, Zürich'],
	['last', 'completed', '東京 2'],
])('the %s guest starts the trigger with "%s"', async (which, newStatus, address) => {
	const expected = (await isHardMode()) ? hard[newStatus] : usual[newStatus];
	await fillInForm(guestLink, participants[which === 'first' ? 0 : 1], address);
	const sent = (await delivered(requestId, seen + expected.length)).slice(seen);
	seen += expected.length;
	const outcomeOf = ({ answer }: Delivery) => (JSON.parse(answer) as Json).status;
	expect(
		sent.map((delivery) => `${delivery.shareStatus} ${String(outcomeOf(delivery))}`),
	).toStrictEqual(expected);
	for (const { statusCode } of sent) expect(statusCode).toBe(200);
	const accepted = sent.filter((delivery) => outcomeOf(delivery) === 'accepted');
	await trigger.assertCount(accepted.length);
	const executions = await newestExecutions(trigger.workflow.id, accepted.length);
	for (const [index, { deliveryId, shareStatus }] of accepted.entries()) {
		const execution = executions[index];
		assert.ok(execution);
		const [item = {}] = outputOf(execution, triggerName);
		const { timestamp } = item;
		expect(String(timestamp)).toMatch((await isHardMode()) ? /^\d{10}$/ : /^\d{13}$/);
		const event = 'collection_request.updated';
		const fields = { event, requestId, shareStatus, webhookIdentifier, timestamp };
		const headers: Array<[string, string]> = [['X-SVC-Delivery-Id', deliveryId]];
		const whole = itemOf({ headers, body: Buffer.of() }, fields, serviceUrl);
		const notifiedAt = new Date(Number(String(timestamp).padEnd(13, '0'))).toISOString();
		expect(item).toStrictEqual({ ...whole, notifiedAt });
		expect(Object.keys(item)).toStrictEqual(NOTIFICATION_FIELDS);
		expect(outputOf(execution, 'Edit Fields')[0]?.seen).toBe(shareStatus);
	}
});

test('reads the share with everybody and their answers by the request ID', async () => {
	const { shareId } = await readApi(`/di/collection-request/${requestId}`);
	const share = await readApi(`/di/share/${String(shareId)}`);
	const { createTime, lastUpdateTime } = share;
	const [, first, second] = share.participants as Json[];
	// Neither the kind of ID nor Simplify is set: this tests the node's defaults.
	const execution = await run({ resource: 'share', operation: 'get', requestId });
	const [item = {}] = outputOf(execution, 'Data Collection');
	assertBegins(item, requestId, guestLink);
	const isHard = await isHardMode();
	// What the service leaves out in hard mode.
	const times = { createTime, lastUpdateTime, deleteTime: null };
	const template = isHard ? {} : { templateId: 'e2e-template', ...times };
	const account = (of: Json | undefined, phoneNumber: string | null, roles: string[]) =>
		isHard ? {} : { phoneNumber, roles, accountId: of?.account_id };
	expect(item).toStrictEqual({
		requestId,
		guestLink,
		shareId,
		status: 'completed',
		...template,
		answers: {
			'Delivery address': 'Bahnhofstrasse 1, Zürich',
			'Contact phone': '',
			Remarks: '',
			'Delivery address (2)': '東京 2',
			'Contact phone (2)': '',
			'Remarks (2)': '',
		},
		participants: [
			{ ...ada, ...account(first, '+41 44 000 00 00', ['sharer', 'admin']) },
			{ ...ben, ...account(second, null, ['sharer']) },
		],
	});
});

test('each list comes out once, however many items name the collection request', async () => {
	const reading = (name: string, parameters: Json) =>
		actionNode(name, trigger.credential, parameters);
	const people = { resource: 'collectionRequest', operation: 'getParticipants' };
	// All but the first take the ID from the items before them: the field's default.
	const lists = [
		reading('People', { ...people, requestId }),
		reading('Answers', { resource: 'share', operation: 'getAnswers' }),
		reading('People again', people),
		reading('History', { resource: 'share', operation: 'getHistory' }),
	];
	const execution = await runWorkflow(chain('E2E lists', [manualNode(), ...lists]));
	const counts = lists.map(({ name }) => [name, outputOf(execution, name).length]);
	expect(Object.fromEntries(counts)).toStrictEqual({
		People: 2,
		Answers: 6,
		'People again': 2,
		History: (await isHardMode()) ? 0 : 5,
	});
});
