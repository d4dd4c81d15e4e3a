import assert from 'node:assert/strict';
import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import { outputOf, type Workflow } from '../../../sandbox/n8n/types.mts';
import { finished } from '../../support/executions.mts';
import { complete, stateOf } from '../../support/sandboxService.mts';
import { createTrigger, type Trigger } from '../../support/trigger.mts';
import { until } from '../../support/until.mts';
import { actionNode, chain, manualName, manualNode } from '../../support/workflows.mts';

/** The node of `creating`. */
export const storyNode = 'Data Collection';

/** What a person has built with the installed package and saved. */
export interface Story {
	/** Creates a collection request when it is run by hand. */
	creating: Workflow;
	/** Published; the requests of `creating` report to it. */
	trigger: Trigger;
	/** Runs `creating`; answers the ID that the service gave. */
	create(): Promise<string>;
	/** Creates, completes; the trigger has to run once for each notification. */
	play(): Promise<void>;
}

/** Saves both workflows and their credential; uses nothing but n8n's REST API. */
export async function saveStory(rest: N8nRest, name: string): Promise<Story> {
	const trigger = await createTrigger({ rest, name: `${name}: on status` });
	const node = actionNode(storyNode, trigger.credential, {
		...{ resource: 'collectionRequest', operation: 'create', templateId: 'install-template' },
		...{ minimumParticipants: 1, maximumParticipants: 2, participantsMode: 'fields' },
		participants: { participant: [{ name: 'Ada Example', email: 'ada@example.com' }] },
		...{ notify: 'trigger', webhookUrl: trigger.url },
		...{ additionalFields: { webhookIdentifier: name } },
	});
	const creating = await rest.createWorkflow(chain(`${name}: create`, [manualNode(), node]));

	const create = async () => {
		const execution = await finished(rest, await rest.runManually(creating.id, manualName));
		assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
		const [item = {}] = outputOf(execution, storyNode);
		const { request, guestLink } = await stateOf(String(item.requestId));
		assert.equal(item.guestLink, guestLink);
		assert.deepEqual(request.participantList, item.participantList);
		return request._id;
	};
	const play = async () => {
		const id = await create();
		await complete(id);
		const deliveries = await until('the service has told n8n of the completion', async () => {
			const { deliveries: sent } = await stateOf(id);
			const isOver = sent.some(({ shareStatus }) => shareStatus === 'completed');
			return isOver && sent.every(({ statusCode }) => statusCode !== null) ? sent : undefined;
		});
		for (const { answer } of deliveries) assert.equal(answer, '{"status":"accepted"}');
		await trigger.assertCount(deliveries.length);
	};
	return { creating, trigger, create, play };
}
