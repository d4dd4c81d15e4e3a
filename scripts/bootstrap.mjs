// `node scripts/bootstrap.mjs <folder> <file> [args]` installs the packages of `sandbox`, or with `.`
// those of the whole checkout, if needed, and runs the file with the Node from these packages. The
// script runs on the machine's Node and imports nothing that has to be installed first.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '../sandbox/shared/installed.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const lock = path.join(root, '.state', 'installing');
const isWindows = process.platform === 'win32';
/** On Windows, npm is a script of its shell. */
const shell = isWindows;
const parent = process.ppid;
// Tools would keep their compiled code in the machine's folder for temporary files.
process.env.NODE_COMPILE_CACHE ??= path.join(root, '.state', 'compile-cache');
// `npm pack --dry-run` builds before it packs, and that needs the packages.
delete process.env.npm_config_dry_run;

/** The binary of the package `node` in a folder's packages. */
const nodeIn = (folder) =>
	path.join(root, folder, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** Ends the process with the one sentence that the person needs. */
function stop(sentence) {
	console.error(sentence);
	process.exit(1);
}

/** Runs a command and returns its exit code; passes on signals, and stops it if the parent dies. */
function run(command, args, options) {
	const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		// Ctrl-C in a terminal has already reached the child; it must not count twice.
		process.on(name, () => (name === 'SIGINT' && process.stdin.isTTY) || child.kill(name));
	}
	// A shell between npm and this process may die without passing on a signal.
	setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 1000).unref();
	return new Promise((resolve) => {
		child.on('error', () => resolve(1));
		child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
	});
}

/** Takes the lock; removes one whose process is gone, for the next attempt. */
function takeLock() {
	fs.mkdirSync(path.dirname(lock), { recursive: true });
	try {
		fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch {
		try {
			process.kill(Number(fs.readFileSync(lock)), 0);
		} catch (error) {
			if (error.code === 'ESRCH') fs.rmSync(lock, { force: true });
		}
		return false;
	}
}

/** Runs `work` while no other command of this checkout installs anything. */
async function alone(work) {
	for (let said = false; !takeLock(); said = true) {
		if (!said) console.log('Another command is installing the packages; waiting for it.');
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	const release = () => fs.rmSync(lock, { force: true });
	process.on('exit', release);
	await work();
	process.off('exit', release);
	release();
}

const npmSays = (...args) => spawnSync('npm', args, { cwd: root, shell }).status === 0;

/** Gives a file a second name, in place of what has that name. */
function link(file, name) {
	fs.mkdirSync(path.dirname(name), { recursive: true });
	fs.rmSync(name, { force: true });
	fs.linkSync(file, name);
}

async function install(folder) {
	const [title, gigabytes, about] =
		folder === '.'
			? ['the packages of this checkout', 1.1, '1 minute']
			: ['the packages of its sandbox', 0.2, '20 seconds'];
	if (!npmSays('--version')) stop('npm was not found: install it. It comes with Node.');
	const { bavail, bsize } = fs.statfsSync(root);
	const free = ((bavail * bsize) / 1e9).toFixed(1);
	if (free < 2) stop(`Only ${free} GB are free in ${root}: at least 2 GB are needed.`);
	// npm knows the registry and the proxy.
	if (!npmSays('view', 'node', 'name', '--fetch-retries=0', '--fetch-timeout=15000'))
		stop('The npm registry cannot be reached: check the network or the proxy.');
	console.log(`Installing ${title} (${gigabytes} GB, once; about ${about}).`);
	const npm = async (...step) => {
		const flags = '--prefer-offline --no-audit --no-fund --loglevel=error'.split(' ');
		const code = await run('npm', [...step, '--prefix', folder, ...flags], { shell });
		if (code > 128) stop('The installation was interrupted: run the same command again.');
		if (code > 0) stop(`Installing ${title} failed: see above, then run the same command again.`);
	};
	// No package may run scripts except the sandbox's `node`, which downloads its binary. Warnings
	// would be about an older Node on the machine, but the packages run on that binary.
	await npm('ci', '--ignore-scripts');
	const isFirst = folder === 'sandbox';
	if (!isFirst) link(nodeIn('sandbox'), nodeIn(folder));
	await npm('rebuild', 'node', `--ignore-scripts=${!isFirst}`);
	// Headers and manuals: only the binary is needed, which is also linked elsewhere.
	const unpacked = path.join(root, folder, 'node_modules', 'node', 'node_modules');
	fs.rmSync(unpacked, { recursive: true, force: true });
}

if (parseInt(process.versions.node, 10) < 20)
	stop(`Node ${process.versions.node} is too old: install Node 20 or newer.`);
const [folder, file, ...args] = process.argv.slice(2);
for (const needed of folder === '.' ? ['sandbox', '.'] : ['sandbox']) {
	const isReady = async () =>
		fs.existsSync(nodeIn(needed)) && (await isInstalled(path.join(root, needed)));
	if (!(await isReady())) await alone(async () => (await isReady()) || (await install(needed)));
}
const PATH = [path.join(root, folder, 'node_modules', '.bin'), process.env.PATH].join(
	path.delimiter,
);
process.exit(await run(nodeIn(folder), [file, ...args], { env: { ...process.env, PATH } }));
