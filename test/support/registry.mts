import { fastify } from 'fastify';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Json } from '../../sandbox/n8n/types.mts';
import { run } from '../../sandbox/shared/command.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { given, userFolder } from './environment.mts';

/** A package document: with its tarballs when npm publishes it, without them when npm reads it. */
interface PackageDocument {
	versions: Record<string, unknown>;
	_attachments: Record<string, { data: string }>;
}

/** An npm registry on loopback, initially empty, to which anybody may publish. */
export async function startRegistry() {
	const documents = new Map<string, Omit<PackageDocument, '_attachments'>>();
	const tarballs = new Map<string, Buffer>();
	const asked = new Set<string>();
	const server = fastify({ bodyLimit: 100e6, forceCloseConnections: true });
	server.addHook('onRequest', ({ url }, _reply, done) => {
		asked.add(url);
		done();
	});
	server.get('/-/asked', () => [...asked]);
	server.put<{ Params: { name: string }; Body: PackageDocument }>(
		'/:name',
		({ params: { name }, body: { _attachments: attached, ...document } }) => {
			const versions = { ...documents.get(name)?.versions, ...document.versions };
			documents.set(name, { ...document, versions });
			for (const [file, { data }] of Object.entries(attached)) {
				tarballs.set(file, Buffer.from(data, 'base64'));
			}
			return { ok: true };
		},
	);
	server.get<{ Params: { name: string } }>(
		'/:name',
		({ params }, reply) => documents.get(params.name) ?? reply.callNotFound(),
	);
	server.get<{ Params: { file: string } }>(
		'/:name/-/:file',
		({ params }, reply) => tarballs.get(params.file) ?? reply.callNotFound(),
	);
	const registryUrl = await server.listen({ host: '127.0.0.1', port: 0 });
	return { registryUrl, close: () => server.close() };
}

/** Makes npm use its settings in this folder, and a cache without packages from other runs. */
export const npmVariables = (userFolder: string) => ({
	npm_config_userconfig: path.join(userFolder, 'npmrc'),
	npm_config_cache: path.join(userFolder, 'npm-cache'),
});

/**
 * Writes the npm settings of the user who runs n8n. n8n passes the public registry on npm's
 * command line (setting another one in n8n requires a licence); of npm's settings, only the
 * registry of a scope takes precedence over that.
 */
export async function writeNpmSettings(userFolder: string, registryUrl: string): Promise<void> {
	const lines = [
		'scope=@install-test',
		`@install-test:registry=${registryUrl}/`,
		// npm insists on a token for publishing; this registry accepts any.
		`${registryUrl.replace(/^http:/, '')}/:_authToken=anybody`,
		'update-notifier=false',
	];
	const { npm_config_userconfig: file } = npmVariables(userFolder);
	await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

async function must(command: string, args: string[]): Promise<void> {
	const logFile = path.join(userFolder, 'publish.log');
	const output = await run({ command, args, cwd: userFolder, logFile });
	if (output === undefined) throw new Error(`${command} ${args[0]} failed: read ${logFile}`);
}

/** The newest published version; undefined before the first. */
async function newestVersion(): Promise<string | undefined> {
	const response = await fetch(`${given('registryUrl')}/${packageName}`);
	if (response.status === 404) return undefined;
	if (!response.ok) throw new Error(`The registry answers ${response.status}`);
	const { 'dist-tags': tags } = (await response.json()) as { 'dist-tags': { latest: string } };
	return tags.latest;
}

/** A folder with the unpacked tarball, set to the next version. */
async function repackAfter(version: string): Promise<string> {
	const folder = await mkdtemp(path.join(userFolder, 'next-'));
	await must('tar', ['-xzf', given('tarball'), '-C', folder, '--strip-components=1']);
	const file = path.join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as Json;
	const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
	await writeFile(file, JSON.stringify({ ...manifest, version: next }));
	return folder;
}

/** Publishes the package as packed the first time, then the same code under the next version. */
export async function publishNext(): Promise<string> {
	const version = await newestVersion();
	const packed = version === undefined ? given('tarball') : await repackAfter(version);
	// As options, which take precedence over the variables of an outer npm.
	const { npm_config_userconfig, npm_config_cache } = npmVariables(userFolder);
	const settings = ['--userconfig', npm_config_userconfig, '--cache', npm_config_cache];
	await must('npm', ['publish', packed, '--ignore-scripts', ...settings]);
	const published = await newestVersion();
	if (published === undefined || published === version) throw new Error('Nothing was published');
	return published;
}
