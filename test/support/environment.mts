import { openService } from './service/service.mts';
import { started } from './shared.mts';

/** Everything that the set-up of this suite has started, before a test file was loaded. */
export const environment = started();
export const { n8nUrl, userFolder, rest } = environment;

/** The service of all tests that need none of their own. */
export const service = await openService();

/** Whether the n8n under test is older than `major`.`minor`. */
export async function isBefore(major: number, minor: number): Promise<boolean> {
	const { versionCli } = await rest.send<{ versionCli: string }>('GET', '/rest/settings');
	const [first = NaN, second = NaN] = versionCli.split('.').map(Number);
	return first < major || (first === major && second < minor);
}
