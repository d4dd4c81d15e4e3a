// `npm run bench [-- <name> [arguments]]`: runs the named benchmark, or all of them in turn except
// load, which takes more than an hour. `--trial` only checks, within minutes, that they work.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const names = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith('.mts') && file !== path.basename(import.meta.filename))
	.map((file) => path.basename(file, '.mts'));

const args = process.argv.slice(2);
const wanted = args[0]?.startsWith('--') === false ? args.shift() : undefined;
if (wanted !== undefined && !names.includes(wanted)) {
	console.error(`There is no benchmark "${wanted}"; there are: ${names.join(', ')}.`);
	process.exit(1);
}

for (const name of wanted === undefined ? names.filter((one) => one !== 'load') : [wanted]) {
	const file = path.join(import.meta.dirname, `${name}.mts`);
	const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
