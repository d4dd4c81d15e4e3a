import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const settingsFile = (userFolder: string) => path.join(userFolder, 'npmrc');

/**
 * Writes the npm settings of the person who runs n8n. n8n itself names the public registry on
 * npm's command line (another one in n8n's own settings asks for a licence); of npm's settings only
 * the registry of a chosen scope comes before that.
 */
export async function writeNpmSettings(userFolder: string, registryUrl: string): Promise<void> {
	const lines = [
		'scope=@install-test',
		`@install-test:registry=${registryUrl}/`,
		// npm publishes only with a token, whatever it is; this registry accepts anybody.
		`${registryUrl.replace(/^http:/, '')}/:_authToken=anybody`,
		'update-notifier=false',
	];
	await writeFile(settingsFile(userFolder), `${lines.join('\n')}\n`, { mode: 0o600 });
}

/** Makes an npm use those settings, and a cache of its own that knows no other run's packages. */
export function npmVariables(userFolder: string): Record<string, string> {
	return {
		npm_config_userconfig: settingsFile(userFolder),
		npm_config_cache: path.join(userFolder, 'npm-cache'),
	};
}
