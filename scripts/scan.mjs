// Runs n8n's own package scanner, which accepts only registry names on its command line, on the
// source and on the unpacked tarball. It ignores eslint-disable comments.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const folder = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: 'ignore' });
	const [tarball] = readdirSync(folder);
	execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder]);
	const targets = [
		['the source', process.cwd(), SOURCE_FILE_PATTERNS],
		['the unpacked tarball', join(folder, 'package'), ['**/*.js', 'package.json']],
	];
	for (const [name, path, patterns] of targets) {
		const { passed, message, details } = await analyzePackage(path, patterns);
		console.log(`n8n's scanner on ${name}: ${passed ? 'passed' : message}`);
		if (details) console.log(details);
		if (!passed) process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
