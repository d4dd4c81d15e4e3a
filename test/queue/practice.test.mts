import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newSecret } from '../support/credential.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { countExecutions, newestExecutions } from '../support/executions.mts';
import { ADA, BEN, BOTH, call, guestPage } from '../support/practice.mts';
import { practiceCredential, publishPractice } from '../support/practice.mts';
import { until } from '../support/until.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

// Several processes and PostgreSQL: the two who answer last do so at the same moment.

const service = await publishPractice();
const webhookSecret = newSecret();
const credential = await practiceCredential('Queue practice', webhookSecret);

test('of two who answer at the same moment, one completes the collection request, and it is notified once', async () => {
	const count = 10;
	const nodes = [triggerNode(credential, { triggerOn: 'completed' })];
	const workflow = await publish(rest, await rest.createWorkflow(chain('Queue practice', nodes)));
	const webhookUrl = triggerUrl(n8nUrl, workflow);
	const create = async () => {
		const body = { templateId: 't', ...BOTH, webhookUrl, webhookSecret };
		return String((await call('/di/collection-request/', body)).json._id);
	};
	const ids = await Promise.all(Array.from({ length: count }, create));
	const answers = ids.flatMap((id) =>
		[ADA, BEN].map(async ({ email }) => await guestPage(id, { who: email, answer0: 'M' })),
	);
	for (const { text } of await Promise.all(answers)) expect(text).toContain('Thank you');
	for (const id of ids) {
		const { json } = await call(`/di/collection-request/${id}`);
		expect(json.shareStatus).toBe('completed');
	}
	await until('every notification', async () => (await countExecutions(workflow.id)) >= count);
	// A second notification of a collection request would come from one that has not ended yet.
	await until('the end of every call', async () => (await countExecutions(service.id)) === 0);
	expect(await countExecutions(workflow.id)).toBe(count);
	const executions = await newestExecutions(workflow.id, count);
	const reported = executions.map((one) => outputOf(one, triggerName)[0]?.requestId);
	expect(reported.sort()).toEqual(ids.sort());
});
