import { setUp, startN8nAndService } from '../runner/suite.mts';
import { checkVersion, defaultVersions, ensureVersionInstalled } from './support/versions.mts';

/** Older versions end at once when they are told to leave out a module that they do not have. */
const env = { N8N_DISABLED_MODULES: '' };

/** The n8n that N8N_VERSION names, the newest unless given, and the service. */
export default setUp(async (folder) => {
	const version = checkVersion(process.env.N8N_VERSION ?? defaultVersions.at(-1) ?? '');
	const installation = await ensureVersionInstalled(version, console.log);
	return await startN8nAndService(folder, { installation, env });
});
