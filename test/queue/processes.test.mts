import { outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { finished, nodeName, runNode, startNode, succeeded } from '../support/executions.mts';
import { calls, complete, createRequest } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { givenUpBy, startedBy } from './support/parts.mts';

const credential = await createCredential('Queue processes');
const one = { resource: 'collectionRequest', requestId: 'r1' };

test('what the editor starts runs on a worker, with the same result', async () => {
	const read = { ...one, operation: 'getGuestLink' };
	const execution = await runNode({ name: 'Queue manual', credential, parameters: read });
	expect(execution.mode).toBe('manual');
	const link = { requestId: 'r1', guestLink: `${serviceUrl}/request/r1` };
	expect(outputOf(execution, nodeName)).toStrictEqual([link]);
	expect(await startedBy(execution.id)).toHaveLength(1);
});

describe('a Wait in the editor looks for itself on a worker', () => {
	/** Starts one, and lets it look twice. */
	async function startLooking() {
		const requestId = await createRequest();
		const limit = { limitWaitTime: true, resumeAmount: 5, resumeUnit: 'hours' };
		const parameters = { ...one, operation: 'wait', which: 'requestId', requestId, ...limit };
		const id = await startNode({ name: 'Queue looking', credential, parameters });
		const looks = async () => (await calls()).filter(({ url }) => url.endsWith(requestId)).length;
		await until('it has looked twice', async () => (await looks()) > 1);
		expect(await startedBy(id)).toHaveLength(1);
		return { id, requestId };
	}

	test('until the collection request is completed', async () => {
		const { id, requestId } = await startLooking();
		await complete(requestId);
		await succeeded(id);
	});

	test('until Stop, after which the worker is free', async () => {
		const { id } = await startLooking();
		await rest.send('POST', `/rest/executions/${id}/stop`);
		expect((await finished(id)).status).toBe('canceled');
		const workers = await startedBy(id);
		await until('the worker has given it up', async () => (await givenUpBy(id)).length > 0);
		expect(await givenUpBy(id)).toStrictEqual(workers);
	});
});
