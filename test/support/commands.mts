import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, textFile } from './markdown.mts';

const { scripts } = JSON.parse(textFile('package.json')) as { scripts: Record<string, string> };

/** Commands of npm itself that the documents and workflows use. */
const OF_NPM = ['ci', 'config', 'install', 'publish', 'rebuild', 'version'];

/**
 * What is wrong with the commands in a text: npm scripts missing from package.json, missing files
 * that Node should run, and words that match no test file.
 */
export function wrongCommands(text: string): string[] {
	return [...wrongNpm(text), ...wrongNode(text), ...wrongWords(text)];
}

function wrongNpm(text: string): string[] {
	const started = [...text.matchAll(/\bnpm (run (?:-s |--silent )?)?([a-z][\w:-]*)/g)];
	return started
		.filter(([, run, name = '']) => {
			if (run !== undefined || name === 'start' || name === 'test') return !(name in scripts);
			return !OF_NPM.includes(name);
		})
		.map(([command]) => command);
}

function wrongNode(text: string): string[] {
	const started = [
		...text.matchAll(/\bnode (?:scripts\/bootstrap\.mjs \S+ )?([\w./-]+\.(?:m?js|mts))/g),
	];
	return started
		.filter(([, file = '']) => !existsSync(join(ROOT, file)))
		.map(([command]) => command);
}

function wrongWords(text: string): string[] {
	const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
	return [...text.matchAll(/\bnpx jest ([\w/-]+)/g)]
		.filter(([, word = '']) => !files.some((name) => name.includes(word)))
		.map(([command]) => command);
}
