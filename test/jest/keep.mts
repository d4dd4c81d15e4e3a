// `npx node test/jest/keep.mts e2e`: starts what the suite needs and keeps it running, so that its
// tests, run in another terminal (`npx jest e2e/main-flow`), begin at once. Ctrl-C ends it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { keep, type setUp } from './suite.mts';

async function main(): Promise<number> {
	const [suite = 'e2e'] = process.argv.slice(2);
	const file = path.resolve(import.meta.dirname, '..', suite, 'setup.mts');
	if (!existsSync(file)) throw new Failure(`There is no suite "${suite}" with an n8n of its own.`);
	const { default: start } = (await import(file)) as { default: ReturnType<typeof setUp> };
	await start({}, { displayName: { name: suite } });
	keep(suite);
	console.log(
		`\nReady: run tests with "npx jest ${suite}/..." in another terminal; Ctrl-C ends it.`,
	);
	return await new Promise<never>(() => undefined);
}

await runCommand(main, 0);
