import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { stateFolder } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';

export type BenchN8n = Awaited<ReturnType<typeof startBenchN8n>>;

/** Starts a fresh n8n in one process, with the package and these variables. */
export async function startBenchN8n(variables: Record<string, string> = {}) {
	const userFolder = stateFolder('bench');
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await ensureN8nInstalled();
	await installNodePackage(userFolder);
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	// A burst keeps n8n from its database for a while. Old executions are still to be counted.
	const env = { DB_PING_TIMEOUT_MS: '60000', EXECUTIONS_DATA_PRUNE: 'false', ...variables };
	const n8n = await startN8n({ userFolder, port, runnersBrokerPort, env });
	const rest = createRest(n8n.url);
	await signIn(rest, userFolder);
	return {
		url: n8n.url,
		rest,
		stop: () => n8n.stop(),
		/** Creates a credential of the package. */
		credential: (serviceUrl: string, webhookSecret?: string) =>
			rest.createCredential('bench', credentialType, {
				environment: 'production',
				productionBaseUrl: serviceUrl,
				productionCollectUrl: serviceUrl,
				apiKey: 'bench-key',
				tokenId: 'bench-token',
				webhookSecret,
			}),
		executions: openDatabase(path.join(userFolder, '.n8n', 'database.sqlite')),
	};
}

/** Reads n8n's executions from its database: asking n8n would cost its time. */
function openDatabase(file: string) {
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	const counting = (condition: string) => {
		const query = `SELECT count(*) AS count FROM execution_entity WHERE workflowId = ?${condition}`;
		const statement = database.prepare(query);
		return (workflowId: string) => (statement.get(workflowId) as { count: number }).count;
	};
	const succeeded = counting(" AND status = 'success'");
	return {
		/** How many executions of a workflow there are, in any status. */
		count: counting(''),
		/** Waits until exactly that many have succeeded; resolves to the time when it saw that. */
		async succeeded(workflowId: string, expected: number): Promise<number> {
			const deadline = Date.now() + 600_000;
			while (succeeded(workflowId) < expected && Date.now() < deadline) await sleep(20);
			const [count, at] = [succeeded(workflowId), Date.now()];
			if (count === expected) return at;
			throw new Failure(`${count} executions in place of ${expected}`);
		},
	};
}
