import { hash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../shared/command.mts';
import { Failure, unlessCode, type Log } from '../shared/failure.mts';
import { withLock } from '../shared/lock.mts';
import { n8nFolder, packageName, root } from '../shared/paths.mts';
import { runStep } from '../shared/progress.mts';

const sources = ['{nodes,credentials,icons}/**', '{package,tsconfig}.json', 'gulpfile.js'];

/** When a file that matches last changed, in milliseconds since 1970; 0 if there is none. */
const newest = (patterns: string[]) =>
	Math.max(
		0,
		...globSync(patterns, { cwd: root }).map((file) => statSync(path.join(root, file)).mtimeMs),
	);

async function build(log: Log, logFile: string): Promise<void> {
	if (newest(['dist/**/*.js']) > newest(sources)) return;
	await runStep({
		title: 'Building the package',
		expectedSeconds: 5,
		command: 'npm',
		// The type packages may be missing here; `npm test` checks types.
		args: ['run', 'build', '--', '--noCheck', '--types', 'null'],
		cwd: root,
		// The first start installs the sandbox's packages alone, and these have gulp and the compiler.
		env: { NODE_PATH: path.join(root, 'sandbox', 'node_modules') },
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
	const content = hash('sha256', await readFile(packed));
	const tarball = packed.replace(/\.tgz$/, `-${content.slice(0, 12)}.tgz`);
	await rename(packed, tarball);
	return tarball;
}

/** Builds and packs the package into `folder`; returns the tarball, named after its content. */
export async function packNodePackage(folder: string, log: Log, logFile: string): Promise<string> {
	const onWait = () => log('Another command is building the package; waiting for it.');
	return await withLock('build', onWait, async () => {
		await build(log, logFile);
		return await pack(folder, logFile);
	});
}

/** Where n8n keeps the installed package. */
export const packageFolder = (userFolder: string) =>
	path.join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);

async function installTarball(cwd: string, tarball: string, log: Log, logFile: string) {
	await mkdir(cwd, { recursive: true });
	const manifest = path.join(cwd, 'package.json');
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
		cwd,
		logFile,
		advice: 'and run the same command again',
		log,
	});
}

/** Builds the package and installs it in the folder's n8n if needed; returns the tarball. */
export async function installNodePackage(options: {
	userFolder: string;
	installation?: string;
	log: Log;
}): Promise<string> {
	const { userFolder, installation = n8nFolder, log } = options;
	const logFile = path.join(userFolder, 'package.log');
	const folder = path.join(userFolder, 'package');
	const tarball = await packNodePackage(folder, log, logFile);
	const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
	const manifest = await readFile(path.join(nodesFolder, 'package.json'), 'utf8').catch(() => '');
	const isThere = existsSync(path.join(packageFolder(userFolder), 'package.json'));
	if (!isThere || !manifest.includes(path.basename(tarball))) {
		await installTarball(nodesFolder, tarball, log, logFile);
	}
	// Outside the checkout, the package finds n8n's n8n-workflow. Inside it, the package would find
	// the one that it is built with, and its errors would have another class.
	const library = path.join('node_modules', 'n8n-workflow');
	const [own, beside] = [path.join(installation, library), path.join(nodesFolder, library)];
	await symlink(own, beside, 'junction').catch(unlessCode('EEXIST'));
	const old = (await readdir(folder)).filter((name) => name !== path.basename(tarball));
	await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
	return tarball;
}
