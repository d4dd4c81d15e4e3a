import { manifest } from '../support/github.mts';
import { textFile } from '../support/markdown.mts';

type Versions = Partial<Record<string, string>>;

interface Locked {
	version: string;
	dependencies?: Versions;
	peerDependencies?: Versions;
	engines?: Versions;
}

const FOLDERS = ['.', 'sandbox', 'sandbox/n8n'];

const lockOf = (folder: string) => {
	const lock = JSON.parse(textFile(`${folder}/package-lock.json`)) as {
		packages: Partial<Record<string, Locked>>;
	};
	return (name: string) => lock.packages[`node_modules/${name}`];
};

interface Pin {
	name: string;
	version: string;
	/** The folder of the lock file; the root by default. */
	folder?: string;
	why: string;
	/** The package in the same lock file that requires it. */
	by?: string;
	/** The version that it requires; the same version by default. */
	asks?: string;
	/** When the pin may be moved. */
	until: string;
}

const CLI = '@n8n/node-cli';
const N8N = { folder: 'sandbox/n8n', by: 'n8n', until: 'n8n moves' };

/** What `npm run bump` must not move, or only together with the package that requires it. */
const PINS: Pin[] = [
	{
		...{ name: 'eslint', version: '9.29.0', by: '@n8n/eslint-plugin-community-nodes' },
		why: "n8n's rules refuse every other version",
		until: `an ${CLI} whose rules accept a newer one`,
	},
	{
		...{ name: '@eslint/js', version: '9.29.0', by: 'eslint' },
		why: 'it is a part of eslint',
		until: 'eslint moves',
	},
	{
		...{ name: 'typescript-eslint', version: '8.35.0', by: CLI },
		why: "n8n's linter brings this one, and a second one would parse for the other linters",
		until: `an ${CLI} that brings a newer one`,
	},
	{
		...{ name: 'typescript', version: '5.8.3' },
		...{ by: '@typescript-eslint/parser', asks: '>=4.8.4 <5.9.0' },
		why: "the parser of n8n's linter does not know newer ones",
		until: `an ${CLI} whose typescript-eslint knows a newer one`,
	},
	{
		...{ name: 'prettier', version: '3.6.2', by: CLI },
		why: "n8n's tool brings this one, and another may lay files out differently",
		until: `an ${CLI} that brings a newer one`,
	},
	{
		...{ name: 'n8n-workflow', version: '2.41.0', by: 'n8n-core' },
		why: 'n8n-core 2.41.1 asks for it, and there is no 2.41.1',
		until: 'n8n moves',
	},
	{
		...{ name: 'n8n-core', version: '2.41.1' },
		why: 'the engine tests run in the core of the n8n that the end-to-end tests run',
		until: 'n8n moves',
	},
	{
		...{ name: 'n8n', version: '2.41.1', folder: 'sandbox/n8n' },
		why: '2.41.3 did not resolve when it was tried',
		until: 'a newer n8n can be installed; CONTRIBUTING.md says what moves with it',
	},
	{ ...N8N, name: 'n8n-core', version: '2.41.1', why: 'it is the core of that n8n' },
	{ ...N8N, name: 'sqlite3', version: '5.1.7', why: 'it is the driver of that n8n' },
	{
		...{ ...N8N, name: 'node', version: '24.15.0', asks: '>=24.0.0' },
		why: 'the figures of docs/performance.md were measured on it',
		until: 'n8n asks for a newer one, or the figures are measured again',
	},
	{
		...{ name: '@langchain/langgraph', version: '1.2.9' },
		why: 'newer ones ask for a langgraph-checkpoint that some registries lack',
		until: `${CLI} no longer needs it, or they have it`,
	},
	{
		...{ name: 'unrs-resolver', version: '1.12.2' },
		why: 'of 1.13.0 some registries lack the binaries for several systems',
		until: 'they have them',
	},
];

describe.each(PINS)('$name', ({ name, version, folder = '.', why, by, asks, until }) => {
	const locked = lockOf(folder);

	test(`stays at ${version}, because ${why}; until ${until}`, () => {
		expect(locked(name)?.version).toBe(version);
	});

	if (by === undefined) return;
	test(`is still what ${by} asks for: if not, its pin has come to its end`, () => {
		const { dependencies, peerDependencies, engines } = locked(by) ?? {};
		expect({ ...dependencies, ...peerDependencies, ...engines }[name]).toBe(asks ?? version);
	});
});

test.each(['node', 'sqlite3'])('n8n shares %s with the sandbox: both move together', (name) => {
	expect(lockOf('sandbox')(name)?.version).toBe(lockOf('sandbox/n8n')(name)?.version);
});

test('what several package.json have is the same version in each', () => {
	const found = new Map<string, Set<string>>();
	for (const folder of FOLDERS) {
		const { dependencies, devDependencies } = manifest(folder);
		for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
			found.set(name, (found.get(name) ?? new Set()).add(version));
		}
	}
	expect([...found].filter(([, versions]) => versions.size > 1)).toEqual([]);
});
