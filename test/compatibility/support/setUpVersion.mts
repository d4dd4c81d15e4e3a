import { startOwnN8n, withService } from '../../support/n8n.mts';
import { openOlderRest } from '../../support/olderRest.mts';
import { setUp } from '../../support/suite.mts';
import { ensureVersionInstalled } from './versions.mts';

const env = {
	// Older versions exit at once when told to disable a module that they do not have.
	N8N_DISABLED_MODULES: '',
	// As it is: with time limits that come once a minute.
	NODE_OPTIONS: '',
};

/** Makes the set-up of a suite with this version of n8n, and the service. */
export const setUpVersion = (version: () => string | Promise<string>) =>
	setUp(async (folder) => {
		const installation = await ensureVersionInstalled(await version(), console.log);
		const shared = await withService(await startOwnN8n(folder, { installation, env }));
		return { ...shared, rest: openOlderRest(shared.rest) };
	});
