import { createRequire } from 'node:module';
import path from 'node:path';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import { packageFolder } from '../../sandbox/n8n/nodePackage.mts';
import { failureOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { isBefore, rest, userFolder } from '../support/environment.mts';
import { runNode } from '../support/executions.mts';
import { createRequest } from '../support/sandboxService.mts';

const wait = { resource: 'collectionRequest', operation: 'wait', which: 'requestId' };
const limit = { limitWaitTime: true, resumeAmount: 10, resumeUnit: 'seconds' };

test('the package finds the n8n-workflow of 2.41 in an n8n before 2.39', async () => {
	const require = createRequire(path.join(packageFolder(userFolder), 'package.json'));
	expect(require('n8n-workflow')).toHaveProperty('N8N_NODES_API_VERSION');
	expect(await isBefore(2, 39)).toBe(true);
});

test('n8n has loaded both nodes', async () => {
	const names = (await rest.nodeTypes()).map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining([actionType, triggerType]));
});

test('a time limit is refused before anything waits', async () => {
	const execution = await runNode({
		name: 'Shadow: limit',
		credential: await createCredential('Shadow'),
		parameters: { ...wait, requestId: await createRequest(), ...limit },
	});
	expect(execution.status).toBe('error');
	expect(failureOf(execution)).toMatch(
		/^Limit Wait Time cannot tell .* Delete the folder n8n-work/,
	);
});
