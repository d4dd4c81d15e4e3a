import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const fileIn = (folder: string) => path.join(folder, '.n8n', 'database.sqlite');

/** Works with the database of the n8n in a folder, and closes it. */
export async function withDatabase<T>(folder: string, work: (database: DatabaseSync) => T) {
	const database = new DatabaseSync(fileIn(folder), { timeout: 10_000 });
	try {
		return await work(database);
	} finally {
		database.close();
	}
}

/** Bytes of n8n's database, with what has not been written back yet. */
export function databaseSize(folder: string): number {
	const file = fileIn(folder);
	const files = [file, `${file}-wal`].filter((name) => existsSync(name));
	return files.reduce((bytes, name) => bytes + statSync(name).size, 0);
}

/**
 * Does some work while n8n cannot write to its database, as another process that keeps it locked
 * would have it; what n8n tries to store meanwhile fails after the second that its driver waits.
 */
export const whileLocked = <T,>(folder: string, work: () => Promise<T>) =>
	withDatabase(folder, (database) => {
		database.exec('BEGIN IMMEDIATE');
		return work();
	});
