// npm run test:compatibility -- [version ...] [--clean]: runs the suite with each version of n8n and
// prints the results as a table. --clean removes each version once it is tested; without versions,
// it removes all that are installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { save, table, type Row } from '../../sandbox/shared/tables.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { readDifferences } from './support/differences.mts';
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
			failureMessages: string[];
		}>;
	}>;
}

/** The outcome of each test by its title, short enough for a table cell. */
function outcomesOf({ testResults }: Report): Row {
	const differences = readDifferences();
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const outcomes = tests.map(({ ancestorTitles, title, failureMessages: [failure] }) => {
		const outcome = failure ?? differences.get([...ancestorTitles, title].join(' ')) ?? 'works';
		return [title, outcome.replace(/[\s|]+/g, ' ').slice(0, 160)];
	});
	return Object.fromEntries(outcomes) as Row;
}

/** The results of one n8n version with the package; one failure if n8n does not even start. */
async function testVersion(version: string): Promise<Row> {
	console.log(`\nn8n ${version}`);
	// Jest does not create the folder for its report.
	mkdirSync(artefacts, { recursive: true });
	rmSync(report, { force: true });
	const args = ['--selectProjects', 'compatibility', '--json', `--outputFile=${report}`];
	spawnSync('jest', args, { stdio: 'inherit', env: { ...process.env, N8N_VERSION: version } });
	const node = await nodeOf(await ensureVersionInstalled(version, console.log));
	try {
		const found = JSON.parse(readFileSync(report, 'utf8')) as Report;
		// Also counts files that broke off before all their tests had run.
		const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
		return { n8n: version, node, passed: found.numPassedTests, failed, ...outcomesOf(found) };
	} catch {
		return { n8n: version, node, passed: 0, failed: 1 };
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
const rows: Row[] = [];
for (const version of asked.length > 0 ? asked : defaultVersions) {
	rows.push(await testVersion(version));
	await save(path.join(artefacts, 'results.json'), rows);
	if (cleans) await clean(version);
}
const features = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((feature) => {
	const found = rows.map((row) => [`n8n ${row.n8n}`, row[feature] ?? 'not tested']);
	return { feature, ...Object.fromEntries(found) } as Row;
});
const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
console.log(`\n${table(features)}\n\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
