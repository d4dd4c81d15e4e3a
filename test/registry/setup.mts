import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setUp, sharedOf, startBare } from '../support/n8n.mts';
import { folder, npmVariables, startRegistry } from './registry.mts';

/**
 * An npm registry, and an n8n that has never heard of the package. Its folder is outside
 * the checkout: inside it, the installed package would find the n8n-workflow it is built with before
 * n8n's own.
 */
export default setUp(async () => {
	const close = await startRegistry();
	// n8n's own defaults, as far as the package is concerned.
	const env = { ...npmVariables, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' };
	// The same last name each time: n8n's static cache is stored under it.
	const n8n = await startBare(path.join(folder, '.install'), { env });
	const stop = async () => {
		await n8n.stop();
		await close();
		await rm(folder, { recursive: true, force: true });
	};
	return { ...sharedOf(n8n), stop };
});
