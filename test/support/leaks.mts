import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { QueueMode } from '../queue/support/queueMode.mts';
import { forbidden } from './credential.mts';
import type { Shared } from './shared.mts';

const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

/** Every row stored by the n8n in a folder, as JSON; it contains credentials only encrypted. */
function everyRow(folder: string): string[] {
	const file = path.join(folder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { timeout: 10_000 });
	const read = (query: string) => database.prepare(query).all();
	const rows = read("SELECT name FROM sqlite_master WHERE type = 'table'").flatMap(({ name }) =>
		read(`SELECT * FROM "${String(name)}"`).map((row) => JSON.stringify(Object.values(row))),
	);
	database.close();
	return rows;
}

/** What Redis, PostgreSQL and the load balancer of queue mode have stored and logged. */
function queuePlaces(userFolder: string, { databaseEnv, postgresBin }: QueueMode) {
	const inFolder = (name: string) => path.join(userFolder, name);
	const queued = inFolder('redis/appendonlydir');
	const env = { ...process.env, ...databaseEnv };
	const options = { env, maxBuffer: 1e9, stdio: 'pipe' as const };
	const dump = execFileSync(path.join(postgresBin, 'pg_dump'), ['--data-only'], options);
	return {
		"Redis's log": linesOf(inFolder('redis/redis.log')),
		"PostgreSQL's log": linesOf(inFolder('postgres/postgres.log')),
		"the load balancer's log": linesOf(inFolder('load-balancer.log')),
		Redis: readdirSync(queued).flatMap((name) => linesOf(path.join(queued, name))),
		'the database': dump.toString('utf8').split('\n'),
	};
}

/**
 * The lines of n8n's logs and the rows that it has stored, by the name of the place. Nothing of an n8n
 * that the tests have not started: its files may be in a container.
 */
export function placesOf({ userFolder, logs, queue }: Shared): Record<string, string[]> {
	if (logs.length === 0) return {};
	return {
		"n8n's log": logs.flatMap(linesOf),
		"n8n's event log": linesOf(path.join(userFolder, '.n8n', 'n8nEventLog.log')),
		...(queue === undefined
			? { 'the database': everyRow(userFolder) }
			: queuePlaces(userFolder, queue)),
	};
}

/**
 * Where the tests' keys, secrets and expected signatures appear although they must not. Gives only
 * numbers, as a quoted line would put the secret into the report.
 */
export function leaks(shared: Shared): string[] {
	const texts = forbidden();
	const contains = (line: string) => texts.some((text) => line.includes(text));
	return Object.entries(placesOf(shared))
		.map(([place, lines]) => [place, lines.filter(contains).length] as const)
		.filter(([, count]) => count > 0)
		.map(([place, count]) => `${place}: ${count} with a secret`);
}
