import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** @returns {Promise<Record<string, { version?: string, optional?: true, devOptional?: true }>>} */
async function packagesIn(file) {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	return JSON.parse(text).packages ?? {};
}

/**
 * True if a folder's node_modules match its lock file, according to the record that npm writes
 * there when it has finished; packages for other systems may be missing.
 * @param {string} folder
 */
export async function isInstalled(folder) {
	const wanted = await packagesIn(path.join(folder, 'package-lock.json'));
	const installed = await packagesIn(path.join(folder, 'node_modules', '.package-lock.json'));
	return Object.entries(wanted).every(
		([name, { version, optional, devOptional }]) =>
			name === '' || optional || devOptional || installed[name]?.version === version,
	);
}
