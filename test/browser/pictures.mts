// `npx node test/browser/pictures.mts`: takes the pictures of the documents in the real editor by running the browser tests.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

const taken = path.resolve('test', 'artefacts', 'browser');
const shown = path.resolve('docs', 'images');
const prefix = 'docs-';

const env = { ...process.env, PICTURES: 'yes' };
const { status } = spawnSync('jest', ['--selectProjects', 'browser'], { stdio: 'inherit', env });
if (status !== 0) process.exit(status ?? 1);
await mkdir(shown, { recursive: true });
const pictures = (await readdir(taken)).filter((name) => name.startsWith(prefix));
for (const file of pictures) {
	await copyFile(path.join(taken, file), path.join(shown, file.slice(prefix.length)));
}
