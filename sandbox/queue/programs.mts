import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from '../shared/apt.mts';
import { Failure, type Log } from '../shared/failure.mts';
import { withLock } from '../shared/lock.mts';

/** The programs that queue mode needs besides n8n. */
export interface Programs {
	redisServer: string;
	redisCli: string;
	/** The folder with `initdb`, `postgres` and `pg_isready`. */
	postgresBin: string;
}

const postgresVersions = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL that Debian's packages have installed. */
function postgresBin(): string {
	const versions = existsSync(postgresVersions) ? readdirSync(postgresVersions) : [];
	const newest = versions.sort((one, other) => Number(other) - Number(one))[0] ?? '';
	return path.join(postgresVersions, newest, 'bin');
}

/** Where the programs are, or would be once Debian's packages are installed. */
function places(): Programs {
	const { REDIS_BIN = '/usr/bin', POSTGRES_BIN = postgresBin() } = process.env;
	return {
		redisServer: path.join(REDIS_BIN, 'redis-server'),
		redisCli: path.join(REDIS_BIN, 'redis-cli'),
		postgresBin: POSTGRES_BIN,
	};
}

/** The Debian packages of what is not there. */
function missingPackages(): string[] {
	const programs = places();
	const packages = {
		'redis-server': programs.redisServer,
		postgresql: path.join(programs.postgresBin, 'postgres'),
	};
	const missing = Object.entries(packages).filter(([, program]) => !existsSync(program));
	return missing.map(([name]) => name);
}

const name = 'Redis and PostgreSQL';
const advice = `install ${name}, name their folders with REDIS_BIN and POSTGRES_BIN, and run the same command again.`;

/** Finds Redis and PostgreSQL; installs with apt-get what is missing, when this is root. */
export async function ensurePrograms(log: Log, logFile: string): Promise<Programs> {
	const onWait = () => log(`Another command is installing ${name}; waiting for it.`);
	return await withLock('install-queue', onWait, async () => {
		const packages = missingPackages();
		if (packages.length === 0) return places();
		await aptInstall({ name, packages, megabytes: 60, advice, log, logFile });
		if (missingPackages().length === 0) return places();
		throw new Failure(`apt-get has not installed all of ${name}: ${advice}`);
	});
}
