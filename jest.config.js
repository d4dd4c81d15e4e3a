const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// n8n-core writes its settings into the user folder. A new folder keeps the home directory clean; it
// goes with the process that has made it, which outlives jest's workers.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-test-'));
	process.env.N8N_USER_FOLDER = folder;
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.TZ = 'UTC';

const suite = (name) => ({
	displayName: name,
	roots: [`<rootDir>/test/${name}`],
	testMatch: ['**/*.test.mts'],
	moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
});

/** Runs inside jest: several files in parallel, each with its own modules. */
const inProcess = (name) => ({
	...suite(name),
	testEnvironment: 'node',
	transform: { '\\.m?ts$': '<rootDir>/test/jest/transform.mjs' },
});

/** Runs with a real n8n, which starts before the first file and stops after the last. */
const withN8n = (name) => ({
	...suite(name),
	transform: {},
	runner: '<rootDir>/test/jest/oneByOne.mjs',
	setupFiles: ['<rootDir>/sandbox/shared/exitWithParent.mts'],
	globalSetup: `<rootDir>/test/${name}/setup.mts`,
	globalTeardown: '<rootDir>/test/jest/teardown.mts',
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		...['unit', 'engine', 'sandbox'].map(inProcess),
		...['e2e', 'deliveries', 'browser', 'install', 'queue', 'compatibility'].map(withN8n),
		// Each of its files starts an n8n of its own, and kills it repeatedly.
		{ ...withN8n('crashes'), globalSetup: undefined },
	],
	reporters: ['default', 'summary', '<rootDir>/test/jest/totals.mjs'],
	testTimeout: 20_000,
};
