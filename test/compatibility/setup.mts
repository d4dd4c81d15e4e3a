import { setUp, startN8nAndService } from '../jest/suite.mts';
import { checkVersion, defaultVersions, ensureVersionInstalled } from './support/versions.mts';

/** Older versions exit at once when told to disable a module that they do not have. */
const env = { N8N_DISABLED_MODULES: '' };

/** The n8n version that N8N_VERSION names (the newest by default), and the service. */
export default setUp(async (folder) => {
	const version = checkVersion(process.env.N8N_VERSION ?? defaultVersions.at(-1) ?? '');
	const installation = await ensureVersionInstalled(version, console.log);
	return await startN8nAndService(folder, { installation, env });
});
