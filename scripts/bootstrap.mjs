// `node scripts/bootstrap.mjs <npm script> [args]` makes a fresh checkout ready, then runs the
// script. It runs on the machine's own Node and imports nothing that has to be installed first.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.installed-lock');
const nodeFolder = path.join(modules, 'node', 'bin');
const rootHash = createHash('sha256').update(root).digest('hex').slice(0, 12);
const lockFolder = path.join(tmpdir(), `n8n-nodes-data-collection-${rootHash}.lock`);
const neededBytes = 2e9;
const minimumNode = 20;

/** A failure whose message already is the one sentence the person needs. */
class Stop extends Error {}

const isWindows = process.platform === 'win32';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parent = process.ppid;

/**
 * Runs a command with inherited stdio and answers its exit code. A signal for this process is
 * passed on, and so is the loss of the parent: a shell between may die without passing it on.
 */
function run(command, args, env = process.env) {
	return new Promise((resolve) => {
		const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', shell: isWindows });
		const forward = (signal) => {
			// A terminal's Ctrl-C has reached the child already; it must not count twice.
			if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
		};
		for (const signal of signals) process.on(signal, forward);
		const watch = setInterval(() => {
			if (process.ppid !== parent) child.kill('SIGTERM');
		}, 1000);
		const finish = (code) => {
			clearInterval(watch);
			for (const signal of signals) process.off(signal, forward);
			resolve(code);
		};
		child.on('error', () => finish(1));
		child.on('exit', (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 1)));
	});
}

const npm = (args) => run('npm', args);

/**
 * Runs a script of package.json. One that only starts Node is started without npm and a shell
 * between, which would keep signals from it.
 */
async function runScript(script, args) {
	const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
	if (scripts[script] === undefined) throw new Stop(`package.json has no script "${script}".`);
	const [command, ...words] = scripts[script].split(' ');
	if (isWindows || command !== 'node' || words.length !== 1) {
		return await npm(['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])]);
	}
	const bin = path.join(root, 'node_modules', '.bin');
	const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
	return await run(path.join(bin, 'node'), [...words, ...args], env);
}

async function lockHash() {
	const lock = await readFile(path.join(root, 'package-lock.json'));
	return createHash('sha256').update(lock).digest('hex');
}

const changed = async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;

/** True after `npm ci` by hand: npm has written its own lock since, and the binary is there. */
async function isInstalledByHand() {
	const hidden = await changed(path.join(modules, '.package-lock.json'));
	const isNewer = hidden > (await changed(path.join(root, 'package-lock.json')));
	return isNewer && existsSync(nodeFolder) && !existsSync(stampFile);
}

async function isInstalled() {
	const stamp = await readFile(stampFile, 'utf8').catch(() => '');
	return stamp.trim() === (await lockHash()) || (await isInstalledByHand());
}

function checkMachine() {
	const [major] = process.versions.node.split('.').map(Number);
	if (major < minimumNode) {
		throw new Stop(
			`Node ${process.versions.node} is too old: install Node ${minimumNode} or newer and run the same command again.`,
		);
	}
	if (spawnSync('npm', ['--version'], { shell: isWindows }).status !== 0) {
		throw new Stop(
			'npm was not found: install it (it comes with Node) and run the same command again.',
		);
	}
}

async function checkDisk() {
	const { bavail, bsize } = await statfs(root);
	if (bavail * bsize >= neededBytes) return;
	const free = ((bavail * bsize) / 1e9).toFixed(1);
	throw new Stop(`Only ${free} GB are free in ${root}: make room for at least 2 GB and try again.`);
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** True when the holder of the lock is gone; a lock without a pid gets two seconds to write it. */
async function isStale() {
	const pid = Number(await readFile(path.join(lockFolder, 'pid'), 'utf8').catch(() => '0'));
	if (pid > 0) return !isAlive(pid);
	const made = await stat(lockFolder).catch(() => undefined);
	return made !== undefined && Date.now() - made.mtimeMs > 2000;
}

/** Runs the work while no other bootstrap of this checkout does. */
async function alone(work) {
	for (let said = false; ; said = true) {
		try {
			await mkdir(lockFolder);
			break;
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
		}
		if (await isStale()) {
			await rm(lockFolder, { recursive: true, force: true });
			continue;
		}
		if (!said) console.log('Another command is installing the dependencies; waiting for it.');
		await sleep(500);
	}
	try {
		await writeFile(path.join(lockFolder, 'pid'), String(process.pid));
		return await work();
	} finally {
		await rm(lockFolder, { recursive: true, force: true });
	}
}

/** Asks npm itself, which knows the registry and the proxy, for a package that is needed. */
function checkRegistry() {
	const args = ['view', 'node', 'name', '--fetch-retries=0', '--fetch-timeout=15000'];
	if (spawnSync('npm', args, { cwd: root, shell: isWindows }).status === 0) return;
	throw new Stop(
		'The npm registry cannot be reached: check the network or the proxy and run the same command again.',
	);
}

function installFailed(code) {
	return new Stop(
		code > 128
			? 'The installation was interrupted: run the same command again.'
			: 'Installing the dependencies failed: see the lines above, then run the same command again.',
	);
}

const seconds = (since) => Math.round((Date.now() - since) / 1000);

async function install() {
	if (await isInstalled()) return;
	await checkDisk();
	checkRegistry();
	console.log('Installing the dependencies of this checkout (about 1.2 GB, once; 1-3 minutes).');
	const started = Date.now();
	await rm(stampFile, { force: true });
	// Warnings here are about machines with an older Node than the packages' own: they run on
	// the Node that is installed with them.
	const quiet = '--loglevel=error';
	const show = () => console.log(`  still installing after ${seconds(started)} s`);
	const progress = process.stdout.isTTY ? undefined : setInterval(show, 15_000);
	try {
		// Scripts are off in .npmrc; the package `node` alone needs its own, to fetch the binary.
		for (const args of [['ci'], ['rebuild', 'node', '--ignore-scripts=false']]) {
			const code = await npm([...args, quiet]);
			if (code !== 0) throw installFailed(code);
		}
	} finally {
		clearInterval(progress);
	}
	if (!existsSync(nodeFolder)) throw installFailed(1);
	await writeFile(stampFile, await lockHash());
	console.log(`Dependencies installed in ${seconds(started)} s.`);
}

async function main() {
	const [script, ...args] = process.argv.slice(2);
	if (script === undefined) throw new Stop('Usage: node scripts/bootstrap.mjs <npm script> [args]');
	checkMachine();
	if (!(await isInstalled())) await alone(install);
	return await runScript(script, args);
}

try {
	process.exitCode = await main();
} catch (error) {
	console.error(error instanceof Stop ? error.message : error);
	process.exitCode = 1;
}
