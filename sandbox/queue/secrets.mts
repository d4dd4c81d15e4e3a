import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../shared/failure.mts';

/** What all processes of one queue mode share. */
export interface Secrets {
	/** Every n8n process needs the same one to read the credentials. */
	encryptionKey: string;
	databasePassword: string;
}

/** The folder's secrets; made at random at the first start and readable by their owner alone. */
export async function ensureSecrets(folder: string): Promise<Secrets> {
	const file = path.join(folder, 'queue.json');
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Secrets;
	} catch (error) {
		if (codeOf(error) !== 'ENOENT') throw error;
	}
	const secret = () => randomBytes(24).toString('base64url');
	const secrets = { encryptionKey: secret(), databasePassword: secret() };
	await writeFile(file, `${JSON.stringify(secrets, null, '\t')}\n`, { mode: 0o600 });
	return secrets;
}
