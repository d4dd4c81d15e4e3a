// `npm run bump -- <package>[@version] ...`: raises dependencies to the given or the newest version
// in each package.json that has them, and in its lock file.
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';

const run = execa({ stdout: 'inherit', stderr: 'inherit', reject: false });
const install = ['install', '--package-lock-only', '--save-exact', '--ignore-scripts'];

/**
 * Some registries lack parts of newer versions of these. n8n's linter allows no overrides in the
 * root's package.json, so they are there only while npm writes the lock file.
 */
const overrides = { '@langchain/langgraph': '1.2.9', 'unrs-resolver': '1.12.2' };

/** Raises dependencies in a folder; returns whether npm succeeded. */
async function raise(folder: string, specs: string[]): Promise<boolean> {
	if (folder === '.') await run`npm pkg set --json overrides=${JSON.stringify(overrides)}`;
	const peers = folder === 'sandbox/n8n' ? ['--legacy-peer-deps'] : [];
	const { failed } = await run`npm ${install} --prefix ${folder} ${peers} ${specs}`;
	if (folder === '.') await run`npm pkg delete overrides`;
	return !failed;
}

const specs = process.argv.slice(2).map((word) => (/.@/.test(word) ? word : `${word}@latest`));
const unknown = new Set(specs);
for (const folder of ['.', 'sandbox', 'sandbox/n8n']) {
	const manifest = await readFile(`${folder}/package.json`, 'utf8');
	const here = specs.filter((spec) => manifest.includes(`"${spec.replace(/(?<=.)@.*/, '')}": "`));
	if (here.length > 0 && !(await raise(folder, here))) process.exit(1);
	for (const spec of here) unknown.delete(spec);
}
if (specs.length === 0) console.error('Say what: npm run bump -- <package>[@version] ...');
else if (unknown.size > 0) console.error(`No package.json has ${[...unknown].join(', ')}.`);
else console.log('Raised. Now run "npm test": it installs them, and says what must not move.');
process.exitCode = unknown.size;
