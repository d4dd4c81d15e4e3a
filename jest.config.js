const path = require('node:path');

// n8n-core writes its settings into the user folder, which must not be the person's own.
process.env.N8N_USER_FOLDER ??= path.resolve('.state/n8n-core');
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.TZ = 'UTC';

const suite = (name) => ({
	displayName: name,
	// Not in the machine's folder for temporary files.
	cacheDirectory: '<rootDir>/.state/jest',
	roots: [`<rootDir>/test/${name}`],
	testMatch: ['**/*.test.mts'],
	moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
});

/** Runs inside jest: several files in parallel, each with its own modules but for n8n's. */
const inProcess = (name) => ({
	...suite(name),
	testEnvironment: '<rootDir>/test/jest/environment.cjs',
	setupFiles: ['<rootDir>/test/jest/setup.cjs'],
	transform: { '\\.m?ts$': '<rootDir>/test/jest/transform.mjs' },
});

/** Runs in jest's own process, one file after the other. */
const oneByOne = (name) => ({
	...suite(name),
	transform: {},
	runner: '<rootDir>/test/jest/oneByOne.mjs',
});

/**
 * Runs with a real n8n, which starts before the first file and stops after the last. Suites with the
 * same set-up share it.
 */
const withN8n = (name, setup = `${name}/setup`) => ({
	...oneByOne(name),
	globalSetup: `<rootDir>/test/${setup}.mts`,
	globalTeardown: '<rootDir>/test/jest/teardown.mts',
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		...['unit', 'engine'].map(inProcess),
		...['e2e', 'deliveries', 'browser'].map((name) => withN8n(name, 'e2e/setup')),
		withN8n('queue'),
		withN8n('settings', 'e2e/setup'),
		oneByOne('install'),
		withN8n('registry'),
		withN8n('compatibility'),
		{ ...withN8n('compatibility'), displayName: 'newest' },
	],
	reporters: ['default', 'summary', '<rootDir>/test/jest/totals.mjs'],
	testTimeout: 20_000,
};
