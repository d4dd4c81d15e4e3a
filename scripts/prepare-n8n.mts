// Installs the sandbox's n8n without starting it, so that CI can do so while other tests run.
import { ensureN8nInstalled } from '../sandbox/n8n/install.mts';
import { runCommand } from '../sandbox/shared/lifetime.mts';

await runCommand(async () => {
	await ensureN8nInstalled(console.log);
	return 0;
}, 1);
