import { hash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../shared/command.mts';
import { unlessCode } from '../shared/failure.mts';
import { withLock } from '../shared/lock.mts';
import { n8nFolder, packageName, root, stateFolder } from '../shared/paths.mts';

const sources = ['{nodes,credentials,icons}/**', '{package,tsconfig}.json', 'gulpfile.js'];
const packed = ['dist/**', 'package.json', 'index.js', '*.md'];
/** A release on GitHub has it under the same name, always at the same address. */
const tarball = path.join(root, `${packageName}.tgz`);
const logFile = stateFolder('package.log');

/** When a file that matches last changed, in milliseconds since 1970; 0 if there is none. */
function newest(patterns: string[]): number {
	const files = globSync(patterns, { cwd: root });
	return Math.max(0, ...files.map((file) => statSync(path.join(root, file)).mtimeMs));
}

async function build(): Promise<void> {
	await run({
		title: 'Building the package',
		command: 'npm',
		// The type packages may be missing here; `npm test` checks types.
		args: ['run', 'build', '--', '--noCheck', '--types', 'null'],
		cwd: root,
		// The first start installs the sandbox's packages alone, and these have gulp and the compiler.
		env: { NODE_PATH: path.join(root, 'sandbox', 'node_modules') },
		logFile,
		advice: 'or run "npm run build"',
	});
}

async function pack(): Promise<void> {
	const folder = stateFolder('packed');
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
	const title = 'Packing the package';
	const output = await run({ title, command: 'npm', args, cwd: root, logFile });
	const name = output.trim().split('\n').at(-1) ?? '';
	// At once, so that nobody reads half of it.
	await rename(path.join(folder, name), tarball);
}

const alone = async <T,>(work: () => Promise<T>) =>
	await withLock(
		'build',
		() => console.log('Another command is building the package; waiting.'),
		work,
	);

/** Builds the package. */
export const buildNodePackage = () => alone(build);

/** Builds and packs the package if needed; returns the tarball, in the checkout's root. */
export async function packNodePackage(): Promise<string> {
	await alone(async () => {
		if (newest(['dist/**/*.js']) <= newest(sources)) await build();
		if (newest([path.basename(tarball)]) <= newest(packed)) await pack();
	});
	return tarball;
}

/** Where n8n loads community packages from. */
export const nodesFolder = (userFolder: string) => path.join(userFolder, '.n8n', 'nodes');

/** Where n8n keeps the installed package. */
export const packageFolder = (userFolder: string) =>
	path.join(nodesFolder(userFolder), 'node_modules', packageName);

/** True if exactly this tarball has been installed in the folder. */
async function hasTarball(folder: string, tarball: string): Promise<boolean> {
	const record = path.join(folder, 'node_modules', '.package-lock.json');
	const installed = await readFile(record, 'utf8').catch(unlessCode('ENOENT'));
	const integrity = `sha512-${hash('sha512', await readFile(tarball), 'base64')}`;
	return installed?.includes(integrity) ?? false;
}

/** Installs the tarball with the command of docs/install.md, as a person does. */
async function installTarball(folder: string, tarball: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	const manifest = path.join(folder, 'package.json');
	// n8n has created it when a person comes. Without it, npm would look in the folders above.
	if (!existsSync(manifest)) await writeFile(manifest, '{ "name": "installed-nodes" }');
	await run({
		title: `Installing ${path.basename(tarball)} into n8n`,
		command: 'npm',
		args: ['install', tarball],
		cwd: folder,
		logFile,
	});
}

/** Packs the package and installs it in the folder's n8n if needed; returns the tarball. */
export async function installNodePackage(
	userFolder: string,
	installation = n8nFolder,
): Promise<string> {
	const tarball = await packNodePackage();
	const folder = nodesFolder(userFolder);
	if (!(await hasTarball(folder, tarball))) await installTarball(folder, tarball);
	// Outside the checkout, the package finds n8n's n8n-workflow. Inside it, the package would find
	// the one that it is built with, unless there is one on the way to it.
	const library = path.join('node_modules', 'n8n-workflow');
	const onTheWay = path.join(userFolder, library);
	await mkdir(path.dirname(onTheWay), { recursive: true });
	const own = path.join(installation, library);
	await symlink(own, onTheWay, 'junction').catch(unlessCode('EEXIST'));
	return tarball;
}
