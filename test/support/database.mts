import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const fileIn = (folder: string) => path.join(folder, '.n8n', 'database.sqlite');

/** Opens the database of the n8n in a folder, does some work with it, and closes it. */
export async function withDatabase<T>(folder: string, work: (database: DatabaseSync) => T) {
	const database = new DatabaseSync(fileIn(folder), { timeout: 10_000 });
	try {
		return await work(database);
	} finally {
		database.close();
	}
}

/** The size of n8n's database in bytes, including what has not been written back yet. */
export function databaseSize(folder: string): number {
	const file = fileIn(folder);
	const files = [file, `${file}-wal`].filter((name) => existsSync(name));
	return files.reduce((bytes, name) => bytes + statSync(name).size, 0);
}

/**
 * Does some work while n8n cannot write to its database, as if another process kept it locked.
 * Whatever n8n tries to store meanwhile fails after the one second that its driver waits.
 */
export const whileLocked = <T,>(folder: string, work: () => Promise<T>) =>
	withDatabase(folder, (database) => {
		database.exec('BEGIN IMMEDIATE');
		return work();
	});
