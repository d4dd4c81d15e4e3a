import path from 'node:path';
import { run } from '../../sandbox/shared/command.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { root } from '../../sandbox/shared/paths.mts';

const logFile = path.join(root, '.bench', 'npm.log');

/** Runs npm, in the checkout by default, and returns its output. */
export async function npm(args: string[], cwd = root): Promise<string> {
	const output = await run({ command: 'npm', args, cwd, logFile });
	if (output === undefined) throw new Failure(`npm ${args[0]} failed: read ${logFile}.`);
	return output;
}
