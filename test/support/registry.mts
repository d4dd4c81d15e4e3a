import { fastify } from 'fastify';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

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
