// npm run test:compatibility -- [version ...] [--clean]: the suite with each version of n8n.
// --clean removes each version once it is tested; without versions it removes all that are there.
// The table and results.json hold every version that was tested with this very package.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../sandbox/shared/paths.mts';
import { readAddresses } from '../support/addresses.mts';
import { readDifferences, store, table, type Result } from './support/outcomes.mts';
import { checkVersion, clean, defaultVersions } from './support/versions.mts';
import { ensureVersionInstalled, nodeOf } from './support/versions.mts';

const artefacts = path.join(root, 'test', 'artefacts', 'compatibility');
const report = path.join(artefacts, 'jest.json');

interface Report {
	numPassedTests: number;
	numFailedTests: number;
	numRuntimeErrorTestSuites: number;
	testResults: Array<{
		assertionResults: Array<{
			ancestorTitles: string[];
			title: string;
			status: string;
			failureMessages: string[];
		}>;
	}>;
}

function outcomesOf({ testResults }: Report): Result['outcomes'] {
	const differences = readDifferences();
	const outcomes = testResults
		.flatMap(({ assertionResults }) => assertionResults)
		.map(({ ancestorTitles, title, status, failureMessages }) => {
			const passed = differences.get([...ancestorTitles, title].join(' ')) ?? 'works';
			return [title, status === 'passed' ? passed : `fails: ${failureMessages[0]}`];
		});
	return Object.fromEntries(outcomes) as Result['outcomes'];
}

async function testVersion(version: string): Promise<Result> {
	console.log(`\nn8n ${version}`);
	// Jest does not make the folder of its report.
	mkdirSync(artefacts, { recursive: true });
	rmSync(report, { force: true });
	const args = ['--selectProjects', 'compatibility', '--json', `--outputFile=${report}`];
	spawnSync('jest', args, { stdio: 'inherit', env: { ...process.env, N8N_VERSION: version } });
	const node = await nodeOf(await ensureVersionInstalled(version, console.log));
	try {
		const found = JSON.parse(readFileSync(report, 'utf8')) as Report;
		const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
		const counts = { passed: found.numPassedTests, failed };
		const tarball = path.basename(readAddresses('compatibility').tarball ?? '');
		return { n8n: version, node, tarball, outcomes: outcomesOf(found), counts };
	} catch {
		return { n8n: version, node, tarball: '', outcomes: {}, broken: 'does not start' };
	}
}

const args = process.argv.slice(2);
const cleans = args.includes('--clean');
const asked = args.filter((arg) => arg !== '--clean').map(checkVersion);
if (cleans && asked.length === 0) {
	await clean();
	console.log('Removed every installed version.');
	process.exit();
}
const totals = { passed: 0, failed: 0 };
let results: Result[] = [];
for (const version of asked.length > 0 ? asked : defaultVersions) {
	const result = await testVersion(version);
	totals.passed += result.counts?.passed ?? 0;
	totals.failed += result.counts?.failed ?? 1;
	results = await store(path.join(artefacts, 'results.json'), result);
	if (cleans) await clean(version);
}
console.log(`\n${table(results)}\n\n${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;
