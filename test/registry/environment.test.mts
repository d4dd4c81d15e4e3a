import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { codeBlock, textFile } from '../support/markdown.mts';
import { folder, npmVariables, publishNext } from './registry.mts';

const userFolder = await mkdtemp(path.join(folder, 'environment-'));
const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
const options = { userFolder, port, runnersBrokerPort };
const rest = createRest(`http://127.0.0.1:${port}`);

/** The variables of docs/install.md, with the newest version in the registry. */
const variables = async (): Promise<Record<string, string>> => {
	const version = await publishNext();
	const lines = codeBlock(textFile('docs/install.md'), 'n8n.env').trim().split('\n');
	return Object.fromEntries(
		lines.map((line) => {
			const [name = '', value = ''] = line.split(/=(.*)/);
			return [name, value.replace(/"version":"[^"]*"/, `"version":"${version}"`)];
		}),
	);
};

/** The nodes of the package that an n8n started with these variables offers. */
const offered = async (env: Record<string, string>): Promise<string[]> => {
	const n8n = await startN8n({ ...options, env: { ...npmVariables, ...env } });
	await signIn(rest, userFolder);
	const names = (await rest.nodeTypes()).map(({ name }) => String(name));
	await n8n.stop();
	return names.filter((name) => name.startsWith(packageName)).sort();
};

test('the variables of the documents install the package, and n8n removes what they do not list', async () => {
	const env = await variables();
	const nodes = ['dataCollection', 'dataCollectionTool', 'dataCollectionTrigger'];
	expect(await offered(env)).toStrictEqual(nodes.map((node) => `${packageName}.${node}`));
	expect(await offered({ ...env, N8N_COMMUNITY_PACKAGES: '[]' })).toStrictEqual([]);
}, 240_000);
