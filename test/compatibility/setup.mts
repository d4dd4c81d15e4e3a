import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { N8nRestError, type N8nRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { n8nFolder, root } from '../../sandbox/shared/paths.mts';
import { setUp, sharedAt, sharedOf, startOwnN8n } from '../support/n8n.mts';

const shown = async (...args: string[]) => (await execa('npm', ['view', ...args])).stdout.trim();

/** For what n8n takes from outside the registry, or leaves unpinned and has since broken. */
const overrides = {
	xlsx: '0.18.5',
	linkedom: '0.18.12',
	'@langchain/langgraph@^1.1.0': '1.2.0',
	'@langchain/langgraph-checkpoint@^1.0.0': '1.0.0',
};

/** The version of a package in an installation; undefined if it is not installed. */
async function versionIn(installation: string, name: string): Promise<string | undefined> {
	const manifest = path.join(installation, 'node_modules', name, 'package.json');
	const text = await readFile(manifest, 'utf8').catch(() => undefined);
	return text === undefined ? undefined : (JSON.parse(text) as { version: string }).version;
}

/**
 * Installs an n8n version into a folder of its own, which git, jest and the linters ignore, unless it
 * is there already; returns the folder. The sandbox has its own version, as for all suites.
 */
async function ensureVersionInstalled(version: string): Promise<string> {
	if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Failure(`"${version}" is no version of n8n.`);
	// It may be this version, and has a driver that is copied below.
	await ensureN8nInstalled();
	if (version === (await versionIn(n8nFolder, 'n8n'))) return n8nFolder;
	const installation = path.join(root, 'test', 'compatibility', '.installed', version);
	const stamp = path.join(installation, 'installed');
	if (existsSync(stamp)) return installation;
	console.log(`Installing n8n ${version}, which takes minutes.`);
	await mkdir(installation, { recursive: true });
	const isForNode24 = /^>=\s*24/.test(await shown(`n8n@${version}`, 'engines.node'));
	const node = isForNode24 ? '24.15.0' : '22.23.3';
	// n8n 2.11 and newer need this one at the top level, where npm would put another version.
	const peers = /^(1|2\.\d)\./.test(version) ? {} : { '@opentelemetry/core': '2.10.0' };
	const manifest = { private: true, dependencies: { n8n: version, node, ...peers }, overrides };
	await writeFile(path.join(installation, 'package.json'), JSON.stringify(manifest));
	const npm = (...args: string[]) => execa('npm', args, { cwd: installation });
	const quick = ['--prefer-offline', '--no-audit', '--no-fund'];
	await npm('install', '--legacy-peer-deps', '--ignore-scripts', ...quick);
	const driver = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	const isSame =
		(await versionIn(installation, 'sqlite3')) === (await versionIn(n8nFolder, 'sqlite3'));
	// The driver that the sandbox has compiled uses an interface that all versions of Node share.
	if (isSame) await cp(path.join(n8nFolder, driver), path.join(installation, driver));
	await npm('rebuild', 'node', ...(isSame ? [] : ['sqlite3']), '--ignore-scripts=false');
	await writeFile(stamp, '');
	return installation;
}

/** n8n's REST API in the variants used since version 1.123. */
const openOlderRest = (rest: N8nRest): N8nRest => ({
	...rest,
	createWorkflow: (workflow) => rest.createWorkflow({ active: false, ...workflow }),
	/** Older versions publish before they respond, so "active" is all there is to check. */
	publicationOf: async (id) => {
		const known = await rest.publicationOf(id).catch((error: unknown) => {
			if (error instanceof N8nRestError && error.status === 404) return undefined;
			throw error;
		});
		if (known?.status !== undefined) return known;
		const workflow = await rest.findWorkflow(id);
		return { status: workflow?.active ? 'published' : 'not_published', triggers: [] };
	},
	/** Older versions run the workflow that the editor sends, not the stored one. */
	runManually: async (id, name) => {
		const body = { workflowData: await rest.findWorkflow(id), triggerToStartFrom: { name } };
		const route = `/rest/workflows/${id}/run`;
		return (await rest.send<{ executionId: string }>('POST', route, body)).executionId;
	},
});

/** Older versions exit when told to disable a module that they do not have. */
const env = { N8N_DISABLED_MODULES: '', NODE_OPTIONS: '' };

/**
 * The n8n at N8N_URL, or else one of the version that N8N_VERSION names: by default
 * the oldest that is supported, or in the suite `newest` the newest that npm has.
 */
export default setUp(async (folder) => {
	const { N8N_URL } = process.env;
	if (N8N_URL !== undefined) return await sharedAt(N8N_URL, folder);
	const isNewest = path.basename(folder) === 'newest';
	const { N8N_VERSION = isNewest ? await shown('n8n', 'version') : '1.123.81' } = process.env;
	const installation = await ensureVersionInstalled(N8N_VERSION);
	const shared = sharedOf(await startOwnN8n(folder, { installation, env }));
	return { ...shared, rest: openOlderRest(shared.rest) };
});
