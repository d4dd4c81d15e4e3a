import path from 'node:path';
import { execa } from 'execa';
import { formUrl } from './n8n/examples.mts';
import { packageFolder } from './n8n/nodePackage.mts';
import { exampleOf } from './n8n/setup.mts';
import type { QueueMode } from './queueMode/queueMode.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root, stateFolder } from './shared/paths.mts';
import { choosePorts } from './shared/ports.mts';
import { startSandbox, type Sandbox } from './stack.mts';

// Usage: node sandbox/start.mts [--dev | --queue]. With --dev, n8n loads changes to the product; with
// --queue, n8n runs in queue mode. Each has a folder of its own.

const mode =
	process.argv[2] === '--dev' ? 'dev' : process.argv[2] === '--queue' ? 'queue' : 'usual';
const folder = { usual: 'sandbox', dev: 'dev', queue: 'sandbox-queue' }[mode];
const userFolder = stateFolder(folder);

function introduction({ n8n, service, mailbox, workspace }: Sandbox): string {
	// The two examples of the tour in docs/sandbox.md come first.
	const tour = ['form-to-email', 'completed-to-rows'];
	const others = workspace.examples.map(({ name }) => name).filter((name) => !tour.includes(name));
	const examples = [...tour, ...others].map((name) => {
		const workflow = exampleOf(workspace, name);
		const form = formUrl(n8n.url, workflow);
		const title = workflow.name.replace(/^Data Collection: /, '');
		const lines = [`  * ${title}`, `    ${n8n.url}/workflow/${workflow.id}`];
		return (form === undefined ? lines : [...lines, `    Form: ${form}`]).join('\n');
	});
	return `
The sandbox is running.

  n8n editor        ${n8n.url}
  Log in with       ${n8n.owner.email}  /  ${n8n.owner.password}
  Service console   ${service.url}
  Mailbox           ${mailbox.url}    catches every email; SMTP on port ${mailbox.smtpPort}

Begin with the form of the first example. Everything is already set up; the notes of each say what it does:

${examples.join('\n\n')}

Guest links ask for a name and an email address. Join and submit as each of the invited people; the service then reports the collection request as completed.

n8n's log: ${n8n.logFile}
Ctrl-C stops everything. Your workflows and credentials are kept for the next start; collection requests and emails are not.
`;
}

/** What there is to say in queue mode. */
function aboutQueue({ url, parts, loadBalancerLog }: QueueMode): string {
	const lines = parts.map(({ name, port }) => `  ${name.padEnd(11)} port ${port}`);
	return `
This is queue mode. A load balancer takes every request at ${url} and passes it on to one of these:

${lines.join('\n')}

Who responded to what: ${loadBalancerLog}
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

await runCommand(async () => {
	if (!(await holdLock(folder))) {
		throw new Failure(
			'The same command of this checkout is already running in another terminal: press Ctrl-C there first.',
		);
	}
	const sandbox = await startSandbox({ userFolder, ports: await choosePorts(), mode });
	const { n8n } = sandbox;
	console.log(introduction(sandbox));
	if ('loadBalancerLog' in n8n) console.log(aboutQueue(n8n));
	const ends = n8n.parts.map(({ ended }) => ended);
	if (mode === 'dev') {
		console.log('Save a file in nodes/ or credentials/, and n8n has the change in a few seconds.');
		ends.push(compileOnChange());
	}
	const how = await Promise.race(ends);
	throw new Failure(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
}, 0);
