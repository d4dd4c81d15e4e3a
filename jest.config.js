const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// n8n-core writes its settings into the user folder: a fresh one keeps the home directory clean.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-test-'));
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.TZ = 'UTC';

const project = (name) => ({
	displayName: name,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${name}/**/*.test.cts`],
	moduleFileExtensions: ['ts', 'cts', 'js', 'cjs', 'json', 'node'],
	// Built code, packages and what runs leave behind: none of it is a module of the tests.
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/sandbox/n8n/',
		'<rootDir>/test/compatibility/.',
		'<rootDir>/[.]',
	],
	transform: { '^.+\\.c?ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json' }] },
});

/** @type {import('jest').Config} */
module.exports = {
	projects: ['unit', 'engine', 'contract'].map(project),
	testTimeout: 20_000,
};
