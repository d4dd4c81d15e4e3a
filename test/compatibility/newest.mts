import { Failure, messageOf } from '../../sandbox/shared/failure.mts';
import { setUpVersion } from './support/setUpVersion.mts';
import { ensureVersionInstalled, newestVersion } from './support/versions.mts';

/** The newest n8n version that npm has. */
export default setUpVersion(async () => {
	const version = await newestVersion();
	await ensureVersionInstalled(version, console.log).catch((error: unknown) => {
		throw new Failure(`n8n ${version}, the newest, cannot be installed: ${messageOf(error)}`);
	});
	return version;
});
