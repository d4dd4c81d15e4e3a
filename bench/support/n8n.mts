import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { stateFolder } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { until } from '../../sandbox/shared/until.mts';

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
	const start = async () => await startN8n({ userFolder, port, runnersBrokerPort, env });
	let n8n = await start();
	const rest = createRest(n8n.url);
	await signIn(rest, userFolder);
	return {
		url: n8n.url,
		rest,
		stop: () => n8n.stop(),
		/** Stops it and starts it again, with the same data. */
		restart: async () => {
			await n8n.stop();
			n8n = await start();
		},
		/** What its process has used so far: milliseconds of processor time, and at most so many MB. */
		used: () => usedBy(n8n.pid),
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

/** Of a process on Linux. */
function usedBy(pid = 0) {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	// In hundredths of a second.
	const cpu = (Number(fields[11]) + Number(fields[12])) * 10;
	return { cpu, memory: Math.round(Number(kilobytes) / 1000) };
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
	const statusOf = database.prepare('SELECT status FROM execution_entity WHERE id = ?');
	const newest = database.prepare(
		"SELECT id FROM execution_entity WHERE workflowId = ? AND status = 'waiting'",
	);
	const size = database.prepare(
		'SELECT length(CAST(data AS BLOB)) AS bytes FROM execution_data WHERE executionId = ?',
	);
	return {
		/** How many bytes n8n has stored for an execution. */
		bytes: (id: string) => (size.get(id) as { bytes: number }).bytes,
		/** The ID of a workflow's execution, once it waits. */
		waiting: (workflowId: string) =>
			until(
				'the execution waits',
				() => (newest.get(workflowId) as { id: number } | undefined)?.id?.toString(),
				300_000,
				50,
			),
		/** Waits until an execution has succeeded. */
		ended: (id: string) => {
			const hasSucceeded = () => (statusOf.get(id) as { status: string }).status === 'success';
			return until(`execution ${id} succeeds`, hasSucceeded, 60_000, 20);
		},
		/** How many executions of a workflow there are, in any status. */
		count: counting(''),
		/** Waits until exactly that many have succeeded; resolves to the time when it saw that. */
		async succeeded(workflowId: string, expected: number): Promise<number> {
			const are = `${expected} executions succeed`;
			await until(are, () => succeeded(workflowId) >= expected, 600_000, 20);
			const [count, at] = [succeeded(workflowId), Date.now()];
			if (count === expected) return at;
			throw new Failure(`${count} executions in place of ${expected}`);
		},
	};
}
