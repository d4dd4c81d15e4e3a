import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensurePrograms } from '../../../sandbox/queue/programs.mts';
import type { Json } from '../../../sandbox/n8n/types.mts';
import { given } from '../../support/environment.mts';

const execute = promisify(execFile);

/** Runs one of PostgreSQL's programs against the database; answers what it prints. */
export async function runClient(program: 'psql' | 'pg_dump', args: string[]): Promise<string> {
	const { postgresBin } = await ensurePrograms(console.log, '/dev/null');
	const env = { ...process.env, ...given('database') };
	const { stdout } = await execute(path.join(postgresBin, program), args, { maxBuffer: 1e9, env });
	return stdout;
}

/** The fields of n8n's Postgres credential for the database. */
export function credentialFields(): Json {
	const { PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD } = given('database');
	return {
		...{ host: PGHOST, port: Number(PGPORT), database: PGDATABASE },
		...{ user: PGUSER, password: PGPASSWORD, ssl: 'disable', allowUnauthorizedCerts: false },
		...{ maxConnections: 10, sshTunnel: false },
	};
}
