// `npm run pictures`: takes the pictures of the examples in the real editor and puts them into docs.
import { spawnSync } from 'node:child_process';
import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';

const taken = path.resolve('test', 'artefacts', 'browser');
const prefix = '8-';

const { status } = spawnSync(process.execPath, ['test/browser/run.mts', '8-examples'], {
	stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
for (const file of (await readdir(taken)).filter((name) => name.startsWith(prefix))) {
	await copyFile(path.join(taken, file), path.resolve('docs', 'images', file.slice(prefix.length)));
}
