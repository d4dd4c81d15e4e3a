import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { newId } from '../support/delivery.mts';
import { service } from '../support/environment.mts';
import { newestExecution, runWorkflow } from '../support/executions.mts';
import { ada, ben } from '../support/people.mts';
import { createTrigger } from '../support/trigger.mts';
import { actionNode, chain, manualNode, setNode, triggerName } from '../support/workflows.mts';

test('from Create with two people, and a trigger for each answer, to the share and its lists', async () => {
	const then = [setNode('Edit Fields', 'seen', '={{ $json.shareStatus }}')];
	const trigger = await createTrigger({ name: 'E2E on status', then });
	const webhookIdentifier = `main-flow ${newId()}`;
	const run = async (parameters: Json) => {
		const nodes = [
			manualNode(),
			actionNode('Data Collection', trigger.credential, parameters),
			setNode('Edit Fields', 'link', '={{ $json.guestLink }}'),
		];
		return await runWorkflow(chain('E2E main flow', nodes));
	};
	const creating = await run({
		resource: 'collectionRequest',
		operation: 'create',
		templateId: 'e2e-template',
		participantsMode: 'fields',
		participants: {
			participant: [
				{ ...ada, phoneNumber: '+41 44 000 00 00', isAdmin: true },
				{ ...ben, phoneNumber: '', isAdmin: false },
			],
		},
		notify: 'trigger',
		webhookUrl: trigger.url,
		output: 'collectionRequest',
		additionalFields: { webhookIdentifier },
	});
	const [created = {}] = outputOf(creating, 'Data Collection');
	const requestId = String(created.requestId);
	const { guestLink } = service.stateOf(requestId);
	expect(created).toStrictEqual({ requestId, guestLink, _id: requestId });
	expect(outputOf(creating, 'Edit Fields')[0]?.link).toBe(guestLink);
	await trigger.assertCount();

	for (const [index, person, shareStatus, address] of [
		[0, ada, 'open', 'Bahnhofstrasse 1, Zürich'],
		[1, ben, 'completed', '東京 2'],
	] as const) {
		service.submit(guestLink, person, address);
		const sent = (await service.delivered(requestId, index + 1))[index];
		expect(sent).toMatchObject({ response: '200 accepted' });
		await trigger.assertCount(1);
		const execution = await newestExecution(trigger.workflow.id);
		const [item = {}] = outputOf(execution, triggerName);
		const timestamp = String(item.timestamp);
		expect(timestamp).toMatch(/^\d{13}$/);
		expect(item).toStrictEqual({
			event: 'collection_request.updated',
			requestId,
			guestLink: `${service.url}/request/${requestId}`,
			shareStatus,
			webhookIdentifier,
			timestamp,
			notifiedAt: new Date(Number(timestamp)).toISOString(),
			deliveryId: sent?.deliveryId,
		});
		expect(outputOf(execution, 'Edit Fields')[0]?.seen).toBe(shareStatus);
	}

	const { shareId } = service.read(`/di/collection-request/${requestId}`);
	const share = service.read(`/di/share/${String(shareId)}`);
	const { createTime, lastUpdateTime } = share;
	const [, first, second] = share.participants as Json[];
	// Neither the kind of ID nor Simplify is set: this tests the node's defaults.
	const reading = await run({ resource: 'share', operation: 'get', requestId });
	expect(outputOf(reading, 'Data Collection')[0]).toStrictEqual({
		requestId,
		guestLink,
		shareId,
		status: 'completed',
		templateId: 'e2e-template',
		createTime,
		lastUpdateTime,
		deleteTime: null,
		answers: {
			'Delivery address': 'Bahnhofstrasse 1, Zürich',
			Remarks: '',
			'Delivery address (2)': '東京 2',
			'Remarks (2)': '',
		},
		participants: [
			{
				...ada,
				phoneNumber: '+41 44 000 00 00',
				roles: ['admin', 'sharer'],
				accountId: first?.account_id,
			},
			{ ...ben, phoneNumber: null, roles: ['sharer'], accountId: second?.account_id },
		],
	});

	// All but the first take the ID from the items before them, and give each list once.
	const people = { resource: 'collectionRequest', operation: 'getParticipants' };
	const list = (name: string, parameters: Json) => actionNode(name, trigger.credential, parameters);
	const lists = [
		list('People', { ...people, requestId }),
		list('Answers', { resource: 'share', operation: 'getAnswers', output: 'answers' }),
		list('People again', people),
		list('History', { resource: 'share', operation: 'getHistory' }),
	];
	const listing = await runWorkflow(chain('E2E lists', [manualNode(), ...lists]));
	const counts = lists.map(({ name }) => outputOf(listing, name).length);
	expect(counts).toEqual([2, 4, 2, 2]);
});
