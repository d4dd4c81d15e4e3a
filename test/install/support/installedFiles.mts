import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Json } from '../../../sandbox/n8n/types.mts';
import { packageName } from '../../../sandbox/shared/paths.mts';
import { userFolder } from '../../support/environment.mts';

const nodesFolder = path.join(userFolder, '.n8n', 'nodes');

/** Where n8n keeps the installed package. */
export const packageFolder = path.join(nodesFolder, 'node_modules', packageName);

/** What n8n notes down as installed, with the versions. */
export async function noted(): Promise<unknown> {
	const text = await readFile(path.join(nodesFolder, 'package.json'), 'utf8');
	return (JSON.parse(text) as Json).dependencies;
}

/** True when the package has brought other packages along. */
export const hasOwnModules = () => existsSync(path.join(packageFolder, 'node_modules'));

/** Where the package would find a module without n8n's help, undefined for nowhere. */
export function findsAlone(name: string): string | undefined {
	try {
		return createRequire(path.join(packageFolder, 'package.json')).resolve(name);
	} catch {
		return undefined;
	}
}

interface Line {
	sub?: string;
	req?: { method: string; url: string };
}

/** Every address that was asked of the registry, without its start. */
export async function askedOfRegistry(): Promise<string[]> {
	const lines = (await readFile(path.join(userFolder, 'registry.log'), 'utf8')).split('\n');
	const entries = lines
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line) as Line);
	const urls = entries.flatMap(({ req }) => (req === undefined ? [] : [req.url]));
	return [...new Set(urls)].filter((url) => url !== '/-/ping').sort();
}
