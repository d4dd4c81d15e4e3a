// Looks at the files that npm packs: there are the papers and what the build makes, and nothing else. Then
// runs n8n's package scanner on them, which accepts only registry names on its command line.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

// The scanner makes a folder for temporary files as soon as it is loaded, and leaves it behind.
const temporary = path.resolve('.state', `scan-${process.pid}`);
mkdirSync(temporary, { recursive: true });
process.env.TMPDIR = temporary;
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const { analyzePackage } = await import('@n8n/scan-community-package/scanner/scanner.mjs');

const [{ files }] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']),
);
const packed = new Set(files.map(({ path }) => path));
const built = globSync('{nodes,credentials,icons}/**/*.{ts,json,svg}').map(
	(file) => `dist/${file.replace(/\.ts$/, '.js')}`,
);
const papers = ['LICENSE.md', 'README.md', 'index.js', 'package.json'];
const odd = [...packed.symmetricDifference(new Set([...papers, ...built]))];
if (odd.length > 0) console.log(`Packed, or not packed, against the plan: ${odd.join(', ')}`);
const code = [...packed].filter((path) => /\.js$|^package\.json$/.test(path));
const { passed, message, details } = await analyzePackage(process.cwd(), code);
console.log(`n8n's scanner: ${passed ? 'passed' : message}\n${details ?? ''}`);
process.exitCode = passed && odd.length === 0 ? 0 : 1;
