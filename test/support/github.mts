import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ROOT, textFile } from './markdown.mts';

export interface Manifest {
	version: string;
	homepage: string;
	engines: Record<string, string>;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
}

const GITHUB = join(ROOT, '.github');

/** The YAML files below .github, with their paths relative to it. */
export const files = readdirSync(GITHUB, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.yml'))
	.sort();

/** Parses one of these files strictly. */
export function yaml(name: string): unknown {
	const document = parseDocument(readFileSync(join(GITHUB, name), 'utf8'), { strict: true });
	expect([...document.errors, ...document.warnings]).toEqual([]);
	return document.toJS();
}

/** The package.json of a folder of the checkout. */
export const manifest = (folder: string) =>
	JSON.parse(textFile(join(folder, 'package.json'))) as Manifest;
