// npm run test:compatibility -- [version ...] [--clean]: runs the suite with each version of n8n.
// A version is a number, "oldest" (that is supported) or "newest" (that npm has).
// --clean removes each version once it is tested; without versions, it removes all that are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { checkVersion, clean, defaultVersions } from './support/versions.mts';

const args = process.argv.slice(2);
const cleans = args.includes('--clean');
/** The number of a version that may be given by a word. */
function versionOf(arg: string): string {
	if (arg === 'oldest') return defaultVersions[0];
	if (arg !== 'newest') return checkVersion(arg);
	return execFileSync('npm', ['view', 'n8n', 'version'], { encoding: 'utf8' }).trim();
}

const asked = args.filter((arg) => arg !== '--clean').map(versionOf);
if (cleans && asked.length === 0) {
	await clean();
	console.log('Removed every installed version.');
	process.exit();
}
const failed: string[] = [];
for (const version of asked.length > 0 ? asked : defaultVersions) {
	console.log(`\nn8n ${version}`);
	const env = { ...process.env, N8N_VERSION: version };
	const suite = ['--selectProjects', 'compatibility', '--verbose'];
	const { status } = spawnSync('jest', suite, { stdio: 'inherit', env });
	if (status !== 0) failed.push(version);
	if (cleans) await clean(version);
}
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed with n8n ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
