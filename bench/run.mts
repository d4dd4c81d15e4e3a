// `npm run bench [-- <name>]`: runs the benchmark of that name, or all of them in turn. With
// `--trial`, it only checks, within minutes, that they work.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const names = ['verify', 'deliver', 'create', 'items', 'wait'];
const given = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));

const unknown = given.filter((name) => !names.includes(name));
if (unknown.length > 0) {
	console.error(`There is no benchmark "${unknown[0]}"; there are: ${names.join(', ')}.`);
	process.exit(1);
}
for (const name of given.length > 0 ? given : names) {
	const file = path.join(import.meta.dirname, `${name}.mts`);
	const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
	if (status !== 0) process.exitCode = 1;
}
