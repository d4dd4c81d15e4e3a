import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { userFolder } from './environment.mts';

const fileIn = (folder: string) => path.join(folder, '.n8n', 'database.sqlite');
const file = fileIn(userFolder);

/** Bytes of n8n's database, with what has not been written back yet. */
export function databaseSize(): number {
	const files = [file, `${file}-wal`].filter((name) => existsSync(name));
	return files.reduce((bytes, name) => bytes + statSync(name).size, 0);
}

function open<T>(work: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(file, { timeout: 10_000 });
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** How many executions n8n has stored, of all workflows. */
export function countAllExecutions(): number {
	return open((database) => {
		const row = database.prepare('SELECT count(*) AS number FROM execution_entity').get();
		return Number(row?.number);
	});
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

/** Replaces what is stored of a credential by something that n8n cannot decrypt. */
export function spoilCredential(id: string): void {
	open((database) => {
		const spoil = database.prepare('UPDATE credentials_entity SET data = ? WHERE id = ?');
		if (spoil.run('bm90IGVuY3J5cHRlZA==', id).changes !== 1) throw new Error('No such credential');
	});
}
