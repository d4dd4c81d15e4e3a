import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { setUp, startBare, withService } from '../support/n8n.mts';
import { npmVariables, startRegistry, writeNpmSettings } from '../support/registry.mts';

/**
 * An npm registry, the service, and an n8n that has never heard of the package. Its folder is outside
 * the checkout: inside it, the installed package would find the n8n-workflow it is built with before
 * n8n's own.
 */
export default setUp(async () => {
	const tarball = await packNodePackage();
	const outside = await mkdtemp(path.join(tmpdir(), `${packageName}-install-`));
	// The same last name each time: n8n's static cache is stored under it.
	const userFolder = path.join(outside, '.install');
	const { registryUrl, close } = await startRegistry();
	// n8n's own defaults, as far as the package is concerned.
	const env = { ...npmVariables(userFolder), N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' };
	const n8n = await startBare(userFolder, { env });
	await writeNpmSettings(userFolder, registryUrl);
	const stop = async () => {
		await n8n.stop();
		await close();
		await rm(outside, { recursive: true, force: true });
	};
	return { ...(await withService(n8n)), registryUrl, tarball, stop };
});
