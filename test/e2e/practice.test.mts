import { credentialType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { forbid, newSecret } from '../support/credential.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { newestExecution, runNode } from '../support/executions.mts';
import { ADA, call, create, guestPage } from '../support/practice.mts';
import { practiceUrl, publishPractice } from '../support/practice.mts';
import { chain, triggerNode } from '../support/workflows.mts';
import { unpublish } from '../support/trigger.mts';

const service = await publishPractice();
/**
 * With a key of production, as after a change of Environment: it must not appear anywhere. The webhook
 * secret may: the practice service stores it as plain text.
 */
const keys = { apiKey: 'key-of-production', tokenId: 'token-of-production' };
forbid(...Object.values(keys));
const fields = { environment: 'practice', practiceUrl, ...keys, webhookSecret: newSecret() };
const credential = await rest.createCredential('Practice', credentialType, fields);

const BEN = { name: 'Ben', email: 'ben@example.com' };

test('a collection request goes from nobody to a share to completed, as in the API', async () => {
	const id = await create({
		participantList: [ADA, BEN],
		minimumParticipants: 2,
		webhookIdentifier: 'T-shirts',
	});
	const read = async () => (await call(`/di/collection-request/${id}`)).json;
	expect(await read()).toMatchObject({ _id: id, shareStatus: 'open', minimumParticipants: 2 });
	expect(await read()).not.toHaveProperty('shareId');
	expect(await read()).not.toHaveProperty('webhookSecret');
	const { text } = await guestPage(id);
	expect(text).toContain('<h1>T-shirts</h1>');
	expect((await guestPage(id, { who: ADA.email, answer0: 'M' })).text).toContain('1 more to go');
	expect((await guestPage(id, { who: ADA.email, answer0: 'L' })).text).toContain('<form');
	const { shareId } = await read();
	expect((await call(`/di/share/${String(shareId)}`)).json).toMatchObject({ status: 'open' });
	expect((await guestPage(id, { who: BEN.email, answer0: 'S' })).text).toContain('Thank you');
	expect(await read()).toMatchObject({ shareStatus: 'completed', shareId });
	expect((await call(`/di/share/${String(shareId)}`)).json).toMatchObject({
		_id: shareId,
		collectionRequestId: id,
		status: 'completed',
		participants: [{ accountSnapshot: ADA }, { accountSnapshot: BEN }],
		otherFields: [
			{ label: 'T-shirt size', value: 'M', isMandatory: true, type: 'text' },
			{ label: 'Remarks', value: '' },
			{ label: 'T-shirt size', value: 'S' },
			{ label: 'Remarks' },
		],
		updateLogs: [{ updatedByAccountSnapshot: { name: 'Ada' } }, {}],
	});
	expect((await guestPage(id)).text).toContain('Completed');
});

test('what people type never becomes markup', async () => {
	const markup = `"><script>alert(1)</script><b x='`;
	const id = await create({
		webhookIdentifier: markup,
		minimumParticipants: 2,
		participantList: [{ name: markup, email: markup }],
	});
	const { text } = await guestPage(id);
	expect(text).toContain('alert(1)');
	expect(text).not.toMatch(/<script|<b x/);
	expect((await guestPage(id, { who: markup, answer0: markup })).text).not.toMatch(/<script|<b x/);
	const { shareId } = (await call(`/di/collection-request/${id}`)).json;
	const { otherFields } = (await call(`/di/share/${String(shareId)}`)).json;
	expect(otherFields).toMatchObject([{ value: markup }, {}]);
});

test('a signed notification starts the trigger for each status, once', async () => {
	const trigger = triggerNode(credential);
	const workflow = await publish(
		rest,
		await rest.createWorkflow(chain('Practice trigger', [trigger])),
	);
	const webhookUrl = triggerUrl(n8nUrl, workflow);
	const execution = await runNode({
		name: 'Practice',
		credential,
		parameters: {
			resource: 'collectionRequest',
			operation: 'create',
			templateId: 'practice',
			participantsMode: 'json',
			participantsJson: JSON.stringify([ADA, BEN]),
			notify: 'trigger',
			webhookUrl,
		},
	});
	const id = String(outputOf(execution, 'Data Collection')[0]?.requestId);
	await guestPage(id, { who: ADA.email, answer0: 'M' });
	const opened = await newestExecution(workflow.id, 1);
	expect(outputOf(opened, trigger.name)).toMatchObject([{ requestId: id, shareStatus: 'open' }]);
	await guestPage(id, { who: BEN.email, answer0: 'XL' });
	const completed = await newestExecution(workflow.id, 2);
	const expected = { event: 'collection_request.updated', requestId: id, shareStatus: 'completed' };
	expect(outputOf(completed, trigger.name)).toMatchObject([expected]);
});

test('the test of the credential tells whether it is published', async () => {
	expect(await rest.testCredential(credential)).toMatchObject({ status: 'OK' });
	await unpublish(rest, service);
	expect(await rest.testCredential(credential)).toMatchObject({
		status: 'Error',
		message: 'Publish the workflow of the practice service, and check Practice Service URL',
	});
});
