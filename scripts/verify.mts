// `npm test`: everything that needs no running n8n. Checks and tests run side by side, since they
// share nothing but the build; what fails prints its whole output. The last line is the totals.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

interface Step {
	name: string;
	command: string[];
}

interface Totals {
	passed: number;
	failed: number;
}

const jestReport = path.resolve('test', 'artefacts', 'jest.json');

const build: Step = { name: 'build', command: ['npm', 'run', '--silent', 'build'] };

const checks: Step[] = [
	{ name: 'format', command: ['npm', 'run', '--silent', 'format:check'] },
	{ name: "n8n's strict lint", command: ['npm', 'run', '--silent', 'lint'] },
	{ name: 'lint, newest nodes-base rules', command: ['npm', 'run', '--silent', 'lint:nodes-base'] },
	{ name: 'lint, everything else', command: ['npm', 'run', '--silent', 'lint:workspace'] },
	{ name: 'import rules', command: ['npm', 'run', '--silent', 'lint:imports'] },
	{ name: "n8n's package scanner", command: ['npm', 'run', '--silent', 'lint:scan'] },
	{ name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
];

const tests: Step = {
	name: 'unit, engine and contract tests',
	command: [
		'jest',
		'--selectProjects',
		'unit',
		'engine',
		'contract',
		'--json',
		`--outputFile=${jestReport}`,
		'--maxWorkers=2',
	],
};

async function main(): Promise<number> {
	await mkdir(path.dirname(jestReport), { recursive: true });
	await rm(jestReport, { force: true });
	if (!(await run(build))) return 1;
	const [checked, tested] = await Promise.all([runAll(checks), run(tests)]);
	const totals = await readTotals();
	console.log(`${totals.passed} passed, ${totals.failed} failed`);
	return checked && tested ? 0 : 1;
}

async function runAll(steps: Step[]): Promise<boolean> {
	let ok = true;
	for (const step of steps) ok = (await run(step)) && ok;
	return ok;
}

/** Runs one step quietly; true when it exits with 0. */
async function run({ name, command }: Step): Promise<boolean> {
	const started = Date.now();
	const [program = '', ...args] = command;
	const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
	const output: Buffer[] = [];
	child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
	child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
	const code = await new Promise<number>((resolve) => {
		child.once('error', () => resolve(1));
		child.once('close', (status) => resolve(status ?? 1));
	});
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
	if (code !== 0) console.log(Buffer.concat(output).toString());
	return code === 0;
}

async function readTotals(): Promise<Totals> {
	try {
		const report = JSON.parse(await readFile(jestReport, 'utf8')) as {
			numPassedTests: number;
			numFailedTests: number;
			numRuntimeErrorTestSuites: number;
		};
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = report;
		return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
	} catch {
		return { passed: 0, failed: 1 };
	}
}

process.exitCode = await main();
