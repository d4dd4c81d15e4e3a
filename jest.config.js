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
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/sandbox/n8n/',
		'<rootDir>/test/compatibility/.',
		'<rootDir>/.sandbox/',
		'<rootDir>/.demo/',
		'<rootDir>/.browser/',
		'<rootDir>/.e2e/',
		'<rootDir>/.faults/',
		'<rootDir>/.load/',
		'<rootDir>/.queue/',
		'<rootDir>/.sandbox-queue/',
		'<rootDir>/.fuzz/',
		'<rootDir>/.latency/',
	],
	transform: { '^.+\\.c?ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json' }] },
});

/** @type {import('jest').Config} */
module.exports = {
	projects: ['unit', 'engine', 'contract'].map(project),
	testTimeout: 20_000,
};
