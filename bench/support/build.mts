import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../sandbox/shared/command.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { root } from '../../sandbox/shared/paths.mts';

/** Compiles the package to `dist`, so that what is measured is what is there now. */
export async function buildPackage(): Promise<void> {
	const logFile = path.join(root, '.bench', 'build.log');
	await mkdir(path.dirname(logFile), { recursive: true });
	const built = await run({ command: 'npm', args: ['run', 'build'], cwd: root, logFile });
	if (built === undefined) throw new Failure(`Building the package failed: read ${logFile}.`);
}
