import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../../sandbox/shared/command.mts';
import { Failure } from '../../../sandbox/shared/failure.mts';
import { withLock } from '../../../sandbox/shared/lock.mts';
import { root } from '../../../sandbox/shared/paths.mts';
import { freePorts } from '../../../sandbox/shared/ports.mts';
import { baseEnv, startServer } from '../../../sandbox/shared/server.mts';

const installation = path.join(root, 'test', 'install', 'registry');
const modules = path.join(installation, 'node_modules');
const program = path.join(modules, 'verdaccio', 'bin', 'verdaccio');

/** Installs verdaccio as its lock file says, unless that is done; a Failure names the log. */
async function install(): Promise<void> {
	const lockHash = hash('sha256', await readFile(path.join(installation, 'package-lock.json')));
	/** Holds the lock file's hash once everything of it is installed. */
	const stampFile = path.join(modules, '.installed-lock');
	const stamp = await readFile(stampFile, 'utf8').catch(() => '');
	if (stamp === lockHash && existsSync(program)) return;
	console.log('Installing the registry of this test (65 MB, once; about half a minute).');
	const logFile = path.join(installation, 'install.log');
	const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	if ((await run({ command: 'npm', args, cwd: installation, logFile })) === undefined) {
		throw new Failure(
			`Installing the registry failed: read ${logFile}, check the network and run it again.`,
		);
	}
	await writeFile(stampFile, lockHash);
}

/** Without uplinks: whatever is asked for but ours is "not found", so nothing else can be needed. */
const settingsOfRegistry = (folder: string) => ({
	storage: path.join(folder, 'storage'),
	auth: { htpasswd: { file: path.join(folder, 'htpasswd'), max_users: -1 } },
	uplinks: {},
	packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } },
	web: { enable: false },
	log: { type: 'stdout', format: 'json', level: 'http', colors: false },
});

/**
 * The npm settings of the person who runs n8n. n8n itself names the public registry on npm's
 * command line (another one in n8n's own settings asks for a licence); of npm's settings only the
 * registry of a chosen scope comes before that.
 */
const settingsOfNpm = (url: string) => [
	'scope=@install-test',
	`@install-test:registry=${url}/`,
	// npm publishes only with a token, whatever it is; this registry accepts anybody.
	`${url.replace(/^http:/, '')}/:_authToken=anybody`,
	'update-notifier=false',
	'',
];

/** Makes an npm use those settings, and a cache of its own that knows no other run's packages. */
export const npmVariables = (userFolder: string) => ({
	npm_config_userconfig: path.join(userFolder, 'npmrc'),
	npm_config_cache: path.join(userFolder, 'npm-cache'),
});

/** Starts an npm registry in which anybody may publish, and writes npm's settings for it. */
export async function startRegistry(userFolder: string): Promise<string> {
	const onWait = () => console.log('Another command is installing the registry; waiting for it.');
	await withLock('install-registry', onWait, install);
	const [port = 0] = await freePorts(1);
	const url = `http://127.0.0.1:${port}`;
	const folder = path.join(userFolder, 'registry');
	const config = path.join(folder, 'config.yaml');
	await mkdir(folder);
	// JSON is YAML, too.
	await writeFile(config, JSON.stringify(settingsOfRegistry(folder)));
	const { npm_config_userconfig: npmrc } = npmVariables(userFolder);
	await writeFile(npmrc, settingsOfNpm(url).join('\n'), { mode: 0o600 });
	await startServer({
		name: 'The registry',
		node: process.execPath,
		args: [program, '--config', config, '--listen', `127.0.0.1:${port}`],
		cwd: root,
		env: baseEnv(),
		logFile: path.join(userFolder, 'registry.log'),
		isReady: async () => (await fetch(`${url}/-/ping`)).ok,
		readyWithin: 60_000,
		stopWithin: 5_000,
	});
	return url;
}
