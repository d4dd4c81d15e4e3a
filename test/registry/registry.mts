import { execa } from 'execa';
import { fastify } from 'fastify';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { packageName } from '../../sandbox/shared/paths.mts';

/** A package document: with its tarballs when npm publishes it, without them when npm reads it. */
interface PackageDocument {
	'dist-tags': { latest: string };
	versions: Record<string, unknown>;
	_attachments: Record<string, { data: string }>;
}

const documents = new Map<string, Omit<PackageDocument, '_attachments'>>();
const tarballs = new Map<string, Buffer>();

/** The paths that somebody has asked the registry for. */
export const asked = new Set<string>();

/** A folder that ends with the suite. */
export const folder = await mkdtemp(path.join(tmpdir(), `${packageName}-registry-`));

/** Makes npm use its settings in this folder, and a cache without packages from other runs. */
export const npmVariables = {
	npm_config_userconfig: path.join(folder, 'npmrc'),
	npm_config_cache: path.join(folder, 'npm-cache'),
};

/** An npm registry on loopback, initially empty, to which anybody may publish; resolves to what stops it. */
export async function startRegistry(): Promise<() => Promise<void>> {
	const server = fastify({ bodyLimit: 100e6, forceCloseConnections: true });
	server.addHook('onRequest', ({ url }, _reply, done) => {
		asked.add(url);
		done();
	});
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
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	// n8n passes the public registry on npm's command line (setting another one in n8n requires a
	// licence); of npm's settings, only the registry of a scope takes precedence over that.
	const lines = [
		'scope=@install-test',
		`@install-test:registry=${url}/`,
		// npm insists on a token for publishing; this registry accepts any.
		`${url.replace(/^http:/, '')}/:_authToken=anybody`,
		'update-notifier=false',
	];
	await writeFile(npmVariables.npm_config_userconfig, `${lines.join('\n')}\n`, { mode: 0o600 });
	return () => server.close();
}

/** Publishes the package as packed the first time, then the same code under the next version. */
export async function publishNext(): Promise<string> {
	const before = documents.get(packageName)?.['dist-tags'].latest;
	const next = await mkdtemp(path.join(folder, 'next-'));
	const tarball = await packNodePackage();
	await execa('tar', ['-xzf', tarball, '-C', next, '--strip-components=1']);
	const file = path.join(next, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as Json & { version: string };
	const version = before?.replace(/\d+$/, (patch) => String(Number(patch) + 1)) ?? manifest.version;
	await writeFile(file, JSON.stringify({ ...manifest, version }));
	// As options, which take precedence over the variables of an outer npm.
	const { npm_config_userconfig, npm_config_cache } = npmVariables;
	const settings = ['--userconfig', npm_config_userconfig, '--cache', npm_config_cache];
	await execa('npm', ['publish', next, '--ignore-scripts', ...settings]);
	expect(documents.get(packageName)?.['dist-tags'].latest).toBe(version);
	return version;
}
