// npm run test:compatibility -- [version ...] [--clean]: runs the suite with each version of n8n.
// --clean removes each version once it is tested; without versions, it removes all that are installed.
import { spawnSync } from 'node:child_process';
import { checkVersion, clean, defaultVersions } from './support/versions.mts';

const args = process.argv.slice(2);
const cleans = args.includes('--clean');
const asked = args.filter((arg) => arg !== '--clean').map(checkVersion);
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
