// Runs n8n's package scanner on the source and on the files that npm packs: on its command line it
// accepts only registry names. It ignores eslint-disable comments.
import { execFileSync } from 'node:child_process';
import * as scanner from '@n8n/scan-community-package/scanner/scanner.mjs';

const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json']));
const packed = files.map(({ path }) => path).filter((path) => /\.js$|^package\.json$/.test(path));
for (const [name, patterns] of Object.entries({ source: scanner.SOURCE_FILE_PATTERNS, packed })) {
	const { passed, message, details } = await scanner.analyzePackage(process.cwd(), patterns);
	console.log(`n8n's scanner, ${name}: ${passed ? 'passed' : message}\n${details ?? ''}`);
	if (!passed) process.exitCode = 1;
}
