import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../shared/command.mts';
import { Failure, type Log } from '../shared/failure.mts';
import { link } from '../shared/link.mts';
import { withLock } from '../shared/lock.mts';
import { n8nFolder, packageName, root } from '../shared/paths.mts';
import { runStep } from '../shared/progress.mts';

const sources = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];

/** Milliseconds of the newest change in the files that match, 0 when there are none. */
async function newest(paths: string[], matches: (file: string) => boolean): Promise<number> {
	const times = paths.map(async (name) => {
		const full = path.join(root, name);
		const info = await stat(full).catch(() => undefined);
		if (info === undefined) return 0;
		if (!info.isDirectory()) return matches(name) ? info.mtimeMs : 0;
		const children = (await readdir(full)).map((child) => path.join(name, child));
		return Math.max(info.mtimeMs * Number(matches(name)), await newest(children, matches));
	});
	return Math.max(0, ...(await Promise.all(times)));
}

async function build(log: Log, logFile: string): Promise<void> {
	const sourceTime = await newest(sources, () => true);
	const builtTime = await newest(['dist'], (file) => file.endsWith('.js'));
	if (builtTime > sourceTime) return;
	await runStep({
		title: 'Building the package',
		expectedSeconds: 5,
		command: 'npm',
		// Types may not be installed; `npm test` checks them.
		args: ['run', 'build', '--', '--noCheck', '--types', 'null'],
		cwd: root,
		logFile,
		advice: 'or run "npm run build"',
		log,
	});
}

async function pack(folder: string, logFile: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
	const output = await run({ command: 'npm', args, cwd: root, logFile });
	const name = output?.trim().split('\n').at(-1);
	if (name === undefined) throw new Failure(`Packing the package failed: see ${logFile}.`);
	const packed = path.join(folder, name);
	const hash = createHash('sha256')
		.update(await readFile(packed))
		.digest('hex');
	const tarball = packed.replace(/\.tgz$/, `-${hash.slice(0, 12)}.tgz`);
	await rename(packed, tarball);
	return tarball;
}

/** Builds the package and packs it into `folder`; returns the tarball, named after its content. */
export async function packNodePackage(folder: string, log: Log, logFile: string): Promise<string> {
	const onWait = () => log('Another command is building the package; waiting for it.');
	return await withLock('build', onWait, async () => {
		await build(log, logFile);
		return await pack(folder, logFile);
	});
}

async function removeOthers(folder: string, keep: string): Promise<void> {
	const old = (await readdir(folder)).filter((name) => name !== path.basename(keep));
	await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
}

/** Where an n8n keeps the package that is installed in it. */
export const packageFolder = (userFolder: string) =>
	path.join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);

/** True when `nodesFolder` holds the package from exactly this tarball. */
async function isInstalledFrom(nodesFolder: string, tarball: string): Promise<boolean> {
	if (!existsSync(path.join(nodesFolder, 'node_modules', packageName, 'package.json')))
		return false;
	const manifest = await readFile(path.join(nodesFolder, 'package.json'), 'utf8').catch(() => '');
	return manifest.includes(path.basename(tarball));
}

async function installTarball(
	nodesFolder: string,
	tarball: string,
	log: Log,
	logFile: string,
): Promise<void> {
	await mkdir(nodesFolder, { recursive: true });
	const manifest = path.join(nodesFolder, 'package.json');
	if (!existsSync(manifest)) {
		const empty = { name: 'installed-nodes', private: true, dependencies: {} };
		await writeFile(manifest, `${JSON.stringify(empty, null, 2)}\n`);
	}
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await runStep({
		title: `Installing ${path.basename(tarball)} into n8n`,
		expectedSeconds: 5,
		command: 'npm',
		args: ['install', tarball, ...flags, '--prefer-offline'],
		cwd: nodesFolder,
		logFile,
		advice: 'and run the same command again',
		log,
	});
}

/**
 * Links n8n's own n8n-workflow beside the package. Elsewhere the package finds that one; inside the
 * checkout it would find the one it is built with, and its errors would be of another class.
 */
async function shareWorkflowLibrary(nodesFolder: string, installation: string): Promise<void> {
	const name = path.join('node_modules', 'n8n-workflow');
	await link(path.join(installation, name), path.join(nodesFolder, name));
}

export interface NodePackageOptions {
	/** n8n's user folder; the package goes to `.n8n/nodes` in it. */
	userFolder: string;
	/** Folder whose node_modules hold the n8n; the sandbox's own unless given. */
	installation?: string;
	/** What is installed; built and packed from the checkout unless given. */
	tarball?: string;
	log: Log;
}

/**
 * Builds and packs the package and installs the tarball where n8n keeps community nodes;
 * returns the tarball's path. Nothing is reinstalled while the tarball stays the same.
 */
export async function installNodePackage(options: NodePackageOptions): Promise<string> {
	const { userFolder, installation = n8nFolder, log } = options;
	const logFile = path.join(userFolder, 'package.log');
	const folder = path.join(userFolder, 'package');
	const tarball = options.tarball ?? (await packNodePackage(folder, log, logFile));
	const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
	if (!(await isInstalledFrom(nodesFolder, tarball))) {
		await installTarball(nodesFolder, tarball, log, logFile);
	}
	await shareWorkflowLibrary(nodesFolder, installation);
	if (options.tarball === undefined) await removeOthers(folder, tarball);
	return tarball;
}
