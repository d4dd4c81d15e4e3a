import { WorkflowExecute } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { startFaultServer, type Answer } from './support/faultServer.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './support/workflow.mts';

// What the test of a credential says about a response: test/e2e/credential-test.test.mts.

const time = useVirtualTime();

/** As n8n does it: a node that has only the request of the test. */
const routing = { request: new DataCollectionApi().test.request };
const tester = {
	description: {
		name: 'tester',
		version: 1,
		credentials: [{ name: 'dataCollectionApi', required: true }],
		properties: [{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing }],
	},
} as unknown as INodeType;

/** The error code of the test, if one has come so far. */
async function startTest(answer: Answer) {
	const { url, requests } = await startFaultServer(answer);
	const node = nodeOf(tester, {});
	const start = { node, data: { main: [[{ json: {} }]] }, source: null };
	const data = createRunExecutionData({ executionData: { nodeExecutionStack: [start] } });
	const additionalData = additionalDataOf({ productionBaseUrl: url });
	const execution = new WorkflowExecute(additionalData, 'internal', data);
	let code: unknown = 'under way';
	const ended = execution
		.processRunExecutionData(workflowOf([tester], [node]))
		.then((run) => (code = (run.data.resultData.error as { httpCode?: string }).httpCode));
	while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
	return { ended, code: () => code };
}

test.each<[string, Answer]>([
	['never responds', () => {}],
	[
		'begins a response, and never ends it',
		(response) => {
			response.writeHead(404, { 'content-type': 'application/json' });
			response.write('{');
		},
	],
])('the test of a credential takes 15 seconds at most if the service %s', async (_how, answer) => {
	const { ended, code } = await startTest(answer);
	await time.idle();
	time.advance(14_999);
	await time.idle();
	expect(code()).toBe('under way');
	time.advance(1);
	expect(await ended).toBe('ERR_CANCELED');
});
