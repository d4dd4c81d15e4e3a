import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from '../shared/apt.mts';
import { Failure, type Log } from '../shared/failure.mts';
import { withLock } from '../shared/lock.mts';

export type Programs = ReturnType<typeof places>;

const postgresVersions = '/usr/lib/postgresql';

/** Where queue mode's other programs are, or will be once Debian's packages are installed. */
function places() {
	const versions = existsSync(postgresVersions) ? readdirSync(postgresVersions) : [];
	const newest = versions.sort((one, other) => Number(other) - Number(one))[0] ?? '';
	const { REDIS_BIN = '/usr/bin', POSTGRES_BIN = path.join(postgresVersions, newest, 'bin') } =
		process.env;
	return {
		redisServer: path.join(REDIS_BIN, 'redis-server'),
		redisCli: path.join(REDIS_BIN, 'redis-cli'),
		/** The folder with `initdb`, `postgres` and `pg_isready`. */
		postgresBin: POSTGRES_BIN,
	};
}

/** The Debian packages of the missing programs. */
function missingPackages(): string[] {
	const { redisServer, postgresBin } = places();
	const packages = { 'redis-server': redisServer, postgresql: path.join(postgresBin, 'postgres') };
	const missing = Object.entries(packages).filter(([, program]) => !existsSync(program));
	return missing.map(([name]) => name);
}

const name = 'Redis and PostgreSQL';
const advice = `install ${name}, set REDIS_BIN and POSTGRES_BIN to their folders, and run the same command again.`;

/** Finds Redis and PostgreSQL; as root, installs what is missing with apt-get. */
export async function ensurePrograms(log: Log, logFile: string): Promise<Programs> {
	const onWait = () => log(`Another command is installing ${name}; waiting for it.`);
	return await withLock('install-queue', onWait, async () => {
		const packages = missingPackages();
		if (packages.length === 0) return places();
		await aptInstall({ name, packages, megabytes: 60, advice, log, logFile });
		if (missingPackages().length === 0) return places();
		throw new Failure(`apt-get did not install all of ${name}: ${advice}`);
	});
}
