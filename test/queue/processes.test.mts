import { outputOf } from '../../sandbox/n8n/types.mts';
import { serviceUrl } from '../support/environment.mts';
import { nodeName, runNode } from '../support/executions.mts';
import { createCredential } from '../support/credential.mts';
import { startedBy } from './support/parts.mts';

test('what the editor starts runs in main, with the same result', async () => {
	const credential = await createCredential('Queue processes');
	const read = { resource: 'collectionRequest', operation: 'getGuestLink', requestId: 'r1' };
	const execution = await runNode({ name: 'Queue manual', credential, parameters: read });
	expect(execution.mode).toBe('manual');
	const link = { requestId: 'r1', guestLink: `${serviceUrl}/request/r1` };
	expect(outputOf(execution, nodeName)).toStrictEqual([link]);
	expect(await startedBy(execution.id)).toStrictEqual([]);
});
