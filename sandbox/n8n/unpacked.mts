import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

interface LockFile {
	packages: Record<string, { optional?: boolean }>;
}

/**
 * Resolves to a function that says how many of the packages in a folder's lock file are unpacked by
 * now. The use of the disk would say less: npm's cache and every other program write to it, too.
 */
export async function unpackedPackages(folder: string): Promise<() => string> {
	const text = await readFile(path.join(folder, 'package-lock.json'), 'utf8');
	const { packages } = JSON.parse(text) as LockFile;
	const names = Object.keys(packages).filter((name) => name !== '' && !packages[name]?.optional);
	const isUnpacked = (name: string) => existsSync(path.join(folder, name, 'package.json'));
	return () => `${names.filter(isUnpacked).length} of ${names.length} packages`;
}
