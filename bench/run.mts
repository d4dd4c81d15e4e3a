// `npm run bench [-- <name>]`: runs the named benchmark, or all of them one after the other.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const names = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith('.mts') && file !== path.basename(import.meta.filename))
	.map((file) => path.basename(file, '.mts'));

const wanted = process.argv[2];
if (wanted !== undefined && !names.includes(wanted)) {
	console.error(`There is no benchmark "${wanted}"; there are: ${names.join(', ')}.`);
	process.exit(1);
}

for (const name of wanted === undefined ? names : [wanted]) {
	const file = path.join(import.meta.dirname, `${name}.mts`);
	const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
