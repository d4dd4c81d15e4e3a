// `npm test`: everything that needs no running n8n. Checks and tests run in parallel, since they
// share only the build; a failed step prints its whole output. The last line has the totals.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { withLock } from '../sandbox/shared/lock.mts';

const jestReport = 'test/artefacts/jest.json';

const checks = {
	format: 'prettier --check --log-level warn .',
	"n8n's strict lint": 'npm run --silent lint',
	'lint and types, everything else': 'oxlint',
	'import rules':
		'depcruise --config scripts/importRules.cjs nodes credentials sandbox test bench scripts',
	"the packed files, and n8n's scanner": 'node scripts/scan.mjs',
	'links in the documents': 'node scripts/checkLinks.mts',
};

/** Runs one step quietly; true if it exits with 0. */
async function run(name: string, command: string): Promise<boolean> {
	const [program = '', ...args] = command.split(' ');
	const { failed, all, durationMs } = await execa(program, args, { all: true, reject: false });
	console.log(`${failed ? '✗' : '✓'} ${name} (${(durationMs / 1000).toFixed(1)} s)`);
	if (failed) console.log(all);
	return !failed;
}

/** A suite that starts meanwhile must not pack half of a build. */
const build = () =>
	withLock(
		'build',
		() => console.log('Another command is building the package; waiting.'),
		() => run('build', 'npm run --silent build'),
	);

async function runChecks(): Promise<boolean> {
	let ok = true;
	for (const [name, command] of Object.entries(checks)) ok = (await run(name, command)) && ok;
	return ok;
}

async function totals(): Promise<string> {
	const text = await readFile(jestReport, 'utf8').catch(() => '{ "numFailedTests": 1 }');
	const report = JSON.parse(text) as Partial<Record<string, number>>;
	const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = report;
	return `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
}

await mkdir('test/artefacts', { recursive: true });
await rm(jestReport, { force: true });
const jest = `jest --selectProjects unit engine --json --outputFile=${jestReport} --maxWorkers=2`;
const isBuilt = await build();
const results = isBuilt
	? await Promise.all([runChecks(), run('unit and engine tests', jest)])
	: [false];
if (isBuilt) console.log(await totals());
process.exitCode = results.every(Boolean) ? 0 : 1;
