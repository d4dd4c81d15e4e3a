import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { userFolder } from './environment.mts';

const fileIn = (folder: string) => path.join(folder, '.n8n', 'database.sqlite');

/** Bytes of n8n's database, with what has not been written back yet. */
export function databaseSize(): number {
	const file = fileIn(userFolder);
	const files = [file, `${file}-wal`].filter((name) => existsSync(name));
	return files.reduce((bytes, name) => bytes + statSync(name).size, 0);
}

/**
 * Does some work while n8n cannot write to its database, as another process that keeps it locked
 * would have it; what n8n tries to store meanwhile fails after the second that its driver waits.
 */
export async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
	const database = new DatabaseSync(fileIn(folder), { timeout: 10_000 });
	try {
		database.exec('BEGIN IMMEDIATE');
		return await work();
	} finally {
		database.close();
	}
}
