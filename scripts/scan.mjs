// Runs n8n's package scanner on the files that npm packs: on its command line it accepts only
// registry names.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
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
const packed = files.map(({ path }) => path).filter((path) => /\.js$|^package\.json$/.test(path));
const { passed, message, details } = await analyzePackage(process.cwd(), packed);
console.log(`n8n's scanner: ${passed ? 'passed' : message}\n${details ?? ''}`);
process.exitCode = passed ? 0 : 1;
