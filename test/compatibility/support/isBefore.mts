import { rest } from '../../support/environment.mts';
import { isSince } from './versions.mts';

/** True when the n8n under test is older than `major`.`minor`. */
export async function isBefore(major: number, minor: number): Promise<boolean> {
	const { versionCli } = await rest.send<{ versionCli: string }>('GET', '/rest/settings');
	return !isSince(versionCli, major, minor);
}
