import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../sandbox/shared/failure.mts';
import { aptInstall } from '../../support/apt.mts';

const name = 'Redis and PostgreSQL';
const advice = `install ${name}, set REDIS_BIN and POSTGRES_BIN to their folders, and run the same command again.`;

/** The folders of Redis's and PostgreSQL's programs; undefined if one of the two is missing. */
function find() {
	const debian = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? '';
	const { REDIS_BIN: redisBin = '/usr/bin', POSTGRES_BIN: postgresBin = debian } = process.env;
	const needed = [path.join(redisBin, 'redis-server'), path.join(postgresBin, 'postgres')];
	return needed.every((program) => existsSync(program)) ? { redisBin, postgresBin } : undefined;
}

/** Finds Redis and PostgreSQL; as root, installs them with apt-get if one is missing. */
export async function ensurePrograms(logFile: string) {
	const packages = ['redis-server', 'postgresql'];
	if (find() === undefined) await aptInstall({ name, packages, advice, logFile });
	const found = find();
	if (found === undefined) throw new Failure(`apt-get did not install all of ${name}: ${advice}`);
	return found;
}
