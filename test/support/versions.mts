import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { N8nRestError, type N8nRest, type Send } from '../../sandbox/n8n/rest.mts';
import type { Publication } from '../../sandbox/n8n/types.mts';
import { run } from '../../sandbox/shared/command.mts';
import { Failure, messageOf } from '../../sandbox/shared/failure.mts';
import { n8nFolder, root } from '../../sandbox/shared/paths.mts';
import { runStep } from '../../sandbox/shared/progress.mts';
import { rest } from './environment.mts';
import { setUp, startOwnN8n, withService } from './n8n.mts';

/** The oldest version that is supported. */
export const oldest = '1.123.81';

/** The newest version that npm has. */
export async function newestVersion(): Promise<string> {
	const { stdout } = await execa('npm', ['view', 'n8n', 'version']);
	return checkVersion(stdout.trim());
}

/** The Node that an n8n version requires; a Failure if the registry does not know the version. */
async function nodeFor(version: string, logFile: string): Promise<string> {
	const args = ['view', `n8n@${version}`, 'engines.node'];
	const engines = (await run({ command: 'npm', args, cwd: root, logFile }))?.trim();
	if (engines) return /^>=\s*24/.test(engines) ? '24.15.0' : '22.23.3';
	throw new Failure(
		`The npm registry does not know n8n ${version}: "npm view n8n versions" lists what it has.`,
	);
}

/** True for `major`.`minor` and everything newer. */
function isSince(version: string, major: number, minor: number): boolean {
	const [first = NaN, second = NaN] = version.split('.').map(Number);
	return first > major || (first === major && second >= minor);
}

/** A version as three numbers; a Failure for anything else, which must never end up in a path. */
export function checkVersion(text: string): string {
	if (/^\d+\.\d+\.\d+$/.test(text)) return text;
	throw new Failure(`"${text}" is not a version of n8n: give one such as 2.20.0.`);
}

/** Has a folder for each installed version; git, jest and the linters ignore it. */
const folder = path.join(root, 'test', 'compatibility', '.installed');

/** For what n8n takes from outside the registry, or leaves unpinned and has since broken. */
const overrides = {
	xlsx: '0.18.5',
	linkedom: '0.18.12',
	'@langchain/langgraph@^1.1.0': '1.2.0',
	'@langchain/langgraph-checkpoint@^1.0.0': '1.0.0',
};

/** Peers that n8n 2.11 and newer need at the top level, where npm would put another version. */
const peers = { '@opentelemetry/core': '2.10.0' };

/** The version of a package in an installation; undefined if it is not installed. */
async function versionIn(installation: string, name: string): Promise<string | undefined> {
	const manifest = path.join(installation, 'node_modules', name, 'package.json');
	const text = await readFile(manifest, 'utf8').catch(() => undefined);
	return text === undefined ? undefined : (JSON.parse(text) as { version: string }).version;
}

/**
 * Copies the SQLite driver that the sandbox has compiled, if the version is the same: it uses an
 * interface that all Node versions share. True when nothing is left to compile.
 */
async function takeDriver(installation: string): Promise<boolean> {
	const wanted = await versionIn(installation, 'sqlite3');
	if (wanted === undefined || wanted !== (await versionIn(n8nFolder, 'sqlite3'))) return false;
	const file = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	const compiled = path.join(n8nFolder, file);
	if (!existsSync(compiled)) return false;
	await cp(compiled, path.join(installation, file));
	return true;
}

/**
 * Installs an n8n version into its own folder unless it is there already; returns the folder. The
 * sandbox's own version is installed already, as it is for all suites.
 */
async function ensureVersionInstalled(version: string): Promise<string> {
	if (version === (await versionIn(n8nFolder, 'n8n'))) return n8nFolder;
	const installation = path.join(folder, version);
	const stamp = path.join(installation, 'installed');
	if (existsSync(stamp)) return installation;
	await mkdir(installation, { recursive: true });
	const { bavail, bsize } = await statfs(folder);
	if (bavail * bsize < 5e9) {
		throw new Failure(`Less than 5 GB are free in ${folder}: remove versions there, or make room.`);
	}
	const logFile = path.join(installation, 'install.log');
	const node = await nodeFor(version, logFile);
	const dependencies = { n8n: version, node, ...(isSince(version, 2, 11) && peers) };
	const manifest = { name: `n8n-${version}`, private: true, dependencies, overrides };
	await writeFile(path.join(installation, 'package.json'), JSON.stringify(manifest));
	const npm = async (title: string, expectedSeconds: number, args: string[]) => {
		const advice = 'and run the same command again';
		const command = { command: 'npm', args, cwd: installation, logFile };
		await runStep({ title, expectedSeconds, ...command, advice, log: console.log });
	};
	const quick = ['--prefer-offline', '--no-audit', '--no-fund'];
	const args = ['install', '--legacy-peer-deps', '--ignore-scripts', ...quick];
	await npm(`Downloading n8n ${version}`, 360, args);
	const rebuilt = (await takeDriver(installation)) ? ['node'] : ['node', 'sqlite3'];
	const rebuild = ['rebuild', ...rebuilt, '--ignore-scripts=false'];
	await npm(`Making ready ${rebuilt.join(' and ')}`, 120, rebuild);
	await writeFile(stamp, `${new Date().toISOString()}\n`);
	return installation;
}

const unknownRoute = (error: unknown) => error instanceof N8nRestError && error.status === 404;

/** Older versions publish before they respond, so "active" is all there is to check. */
async function publicationOf(rest: N8nRest, id: string): Promise<Publication> {
	const known = await rest.publicationOf(id).catch((error: unknown) => {
		if (unknownRoute(error)) return undefined;
		throw error;
	});
	if (known?.status !== undefined) return known;
	const workflow = await rest.findWorkflow(id);
	return { status: workflow?.active ? 'published' : 'not_published', triggers: [] };
}

/** n8n 2.20 fails to return an execution for which it has stored nothing yet. */
function patientSend({ send }: { send: Send }): Send {
	return async <T,>(...call: Parameters<Send>): Promise<T> => {
		try {
			return await send<T>(...call);
		} catch (error) {
			const isTooEarly = /^GET \/rest\/executions\/\d+: 500 .*'resultData'/;
			if (!isTooEarly.test(messageOf(error))) throw error;
			return { status: 'running' } as T;
		}
	};
}

/** Older versions run the workflow that the editor sends, not the stored one. */
async function runManually(rest: N8nRest, id: string, triggerName: string): Promise<string> {
	const workflowData = await rest.findWorkflow(id);
	const body = { workflowData, triggerToStartFrom: { name: triggerName } };
	const route = `/rest/workflows/${id}/run`;
	return (await rest.send<{ executionId: string }>('POST', route, body)).executionId;
}

/** n8n's REST API in the variants used since version 1.123. */
function openOlderRest(rest: N8nRest): N8nRest {
	return {
		...rest,
		send: patientSend(rest),
		createWorkflow: (workflow) => rest.createWorkflow({ active: false, ...workflow }),
		publicationOf: (id) => publicationOf(rest, id),
		runManually: (id, triggerName) => runManually(rest, id, triggerName),
	};
}

/** True when the n8n under test is older than `major`.`minor`. */
export async function isBefore(major: number, minor: number): Promise<boolean> {
	const { versionCli } = await rest.send<{ versionCli: string }>('GET', '/rest/settings');
	return !isSince(versionCli, major, minor);
}

const env = {
	// Older versions exit at once when told to disable a module that they do not have.
	N8N_DISABLED_MODULES: '',
	// As it is: with time limits that come once a minute.
	NODE_OPTIONS: '',
};

/**
 * Makes the set-up of a suite with this version of n8n, and the service. `prepare` may change the user
 * folder before n8n starts.
 */
export const setUpVersion = (
	version: () => string | Promise<string>,
	prepare?: (userFolder: string, installation: string) => Promise<void>,
) =>
	setUp(async (folder) => {
		const installation = await ensureVersionInstalled(await version());
		await prepare?.(folder, installation);
		const shared = await withService(await startOwnN8n(folder, { installation, env }));
		return { ...shared, rest: openOlderRest(shared.rest) };
	});
