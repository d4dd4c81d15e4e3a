import { rm } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { formUrl } from './n8n/examples.mts';
import { packageFolder } from './n8n/nodePackage.mts';
import { startSandbox, type Sandbox } from './sandbox.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root, stateFolder } from './shared/paths.mts';
import { choosePorts, freePorts } from './shared/ports.mts';
import { takeTour } from './tour.mts';

// Usage: node sandbox/start.mts [dev | demo]. With dev, n8n loads changes to the product; the demo takes
// the tour by itself, and ends. Each has a folder of its own.

const { 2: mode = 'sandbox' } = process.argv;
const userFolder = stateFolder(mode);

function introduction({ n8n, owner, mailbox, workspace }: Sandbox): string {
	const addressOf = (name: string) => `${n8n.url}/workflow/${workspace[name]?.id}`;
	const form = workspace['form-to-email'];
	return `
The sandbox is running: n8n with every example, the practice service, and a mailbox for all emails.

  n8n         ${n8n.url}/home/workflows
  Log in      ${owner.email}  /  ${owner.password}
  Emails      ${mailbox.url}

Begin with one of these. The tour is in docs/sandbox.md.

  First flow  ${addressOf('first-flow')}
  The tour    ${form ? formUrl(n8n.url, form) : ''}

n8n's log: ${n8n.logFile}
Ctrl-C stops everything. The next start has your workflows and credentials again, but no emails.
`;
}

/** Compiles the product into n8n after each change; resolves when the compiler ends. */
async function compileOnChange(): Promise<string> {
	const outDir = path.join(packageFolder(userFolder), 'dist');
	const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc');
	const args = [tsc, '--watch', '--preserveWatchOutput', '--outDir', outDir];
	await execa(process.execPath, ['--import', './sandbox/shared/exitWithParent.mts', ...args], {
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
		reject: false,
	});
	return 'The compiler ended';
}

async function portsOfMode() {
	if (mode !== 'demo') return await choosePorts();
	const [n8n = 0, mailbox = 0] = await freePorts(2);
	return { n8n, mailbox };
}

await runCommand(
	async () => {
		if (!(await holdLock(mode))) {
			throw new Failure(
				'The same command of this checkout is already running in another terminal: press Ctrl-C there first.',
			);
		}
		const ports = await portsOfMode();
		if (mode === 'demo') await rm(userFolder, { recursive: true, force: true });
		const sandbox = await startSandbox({ userFolder, ports, reloads: mode === 'dev' });
		console.log(introduction(sandbox));
		if (mode === 'demo') {
			await takeTour(sandbox);
			return 0;
		}
		const ends = [sandbox.n8n.ended];
		if (mode === 'dev') {
			console.log(
				'Save a file in nodes/ or credentials/, and n8n has the change in a few seconds.',
			);
			ends.push(compileOnChange());
		}
		const how = await Promise.race(ends);
		throw new Failure(
			`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`,
		);
	},
	mode === 'demo' ? 130 : 0,
);
