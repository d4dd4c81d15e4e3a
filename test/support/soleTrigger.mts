import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { credentialType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { chain, triggerNode } from './workflows.mts';

/** An n8n with one published workflow that has our trigger and nothing else. */
export type SoleTrigger = Awaited<ReturnType<typeof startSoleTrigger>>;

/** Nobody listens there; the trigger reads nothing from it. */
const address = 'http://127.0.0.1:9';

const env = {
	// Every execution must still be there to be counted.
	EXECUTIONS_DATA_PRUNE: 'false',
	// On a busy machine a burst keeps n8n from its own database for longer than the usual 5 s.
	DB_PING_TIMEOUT_MS: '60000',
};

/** Variables for n8n, from words like NAME=value; a Failure names a word that is none. */
export function variablesIn(words: string[]): Record<string, string> {
	const pairs = words.map((word) => {
		const [, name, value = ''] = /^([A-Z0-9_]+)=(.*)$/s.exec(word) ?? [];
		if (name !== undefined) return [name, value] as const;
		throw new Failure(`"${word}" is no variable for n8n: write NAME=value, the name in capitals.`);
	});
	return Object.fromEntries(pairs);
}

/** Starts it afresh in the folder `name` of the checkout. */
export async function startSoleTrigger(
	name: string,
	secrets: { secret: string; previous: string[] },
	variables: Record<string, string> = {},
) {
	const userFolder = path.join(root, name);
	await ensureN8nInstalled(console.log);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { mode: 0o700 });
	await installNodePackage({ userFolder, log: console.log });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const options = { userFolder, port, runnersBrokerPort, env: { ...env, ...variables } };
	const n8n = await startN8n({ ...options, log: console.log });
	const rest = createRest(n8n.url);
	await signIn(rest, userFolder);
	const credential = await rest.createCredential(name, credentialType, {
		environment: 'production',
		productionBaseUrl: address,
		productionCollectUrl: address,
		apiKey: 'key',
		tokenId: 'token',
		webhookSecret: secrets.secret,
		previousWebhookSecrets: secrets.previous.join('\n'),
	});
	const made = await rest.createWorkflow(chain(name, [triggerNode(credential)]));
	const workflow = await publish(rest, made);
	return { n8n, rest, userFolder, workflowId: workflow.id, url: triggerUrl(n8n.url, workflow) };
}
