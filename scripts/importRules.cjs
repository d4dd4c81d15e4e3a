const nodes = '^nodes/DataCollection/';
const ours = '^(nodes|credentials|sandbox|test|bench|scripts)/(?!node_modules/)';

/** Which files may import which. The comment of each rule is its reason. */
module.exports = {
	forbidden: [
		{
			name: 'no-cycles',
			comment: 'A cycle means that two files share one responsibility.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'node-files-only-describe',
			comment: 'A node file only holds the description and calls its actions or its trigger.',
			severity: 'error',
			from: { path: '\\.node\\.ts$' },
			to: { path: nodes, pathNot: `${nodes}(actions|trigger)/` },
		},
		{
			name: 'actions-and-trigger-are-apart',
			comment: 'You can read and change each node without the other.',
			severity: 'error',
			from: { path: `${nodes}(actions|trigger)/` },
			to: { path: `${nodes}(actions|trigger)/`, pathNot: `${nodes}$1/` },
		},
		{
			name: 'router-knows-resources-only',
			comment: 'To add an operation, you change only its own file and the index of its resource.',
			severity: 'error',
			from: { path: `${nodes}actions/[^/]+\\.ts$` },
			to: { path: `${nodes}actions/[^/]+/`, pathNot: `${nodes}actions/[^/]+/index\\.ts$` },
		},
		{
			name: 'index-knows-its-operations-only',
			comment: 'The index of a resource only lists its operations.',
			severity: 'error',
			from: { path: `${nodes}actions/([^/]+)/index\\.ts$` },
			to: {
				path: nodes,
				pathNot: [`${nodes}actions/$1/.*\\.operation\\.ts$`, `${nodes}actions/[^/]+\\.ts$`],
			},
		},
		{
			name: 'resources-do-not-know-each-other',
			comment: 'What two resources need goes directly into actions.',
			severity: 'error',
			from: { path: `${nodes}actions/([^/]+)/` },
			to: { path: `${nodes}actions/([^/]+)/`, pathNot: `${nodes}actions/$1/` },
		},
		{
			name: 'api-and-webhook-serve-both-nodes',
			comment:
				"The service's API and its notifications are the same for both nodes, so neither folder depends on a node or on the other folder.",
			severity: 'error',
			from: { path: `${nodes}(api|webhook)/` },
			to: { path: `${nodes}[^/]+/`, pathNot: [`${nodes}$1/`, `${nodes}credential/`] },
		},
		{
			name: 'credential-and-root-need-nobody',
			comment: 'All other folders build on these files.',
			severity: 'error',
			from: { path: [`${nodes}credential/`, `${nodes}[^/]+(?<!\\.node)\\.ts$`] },
			to: { path: `${nodes}[^/]+/`, pathNot: `${nodes}credential/` },
		},
		{
			name: 'credentials-share-addresses',
			comment:
				'n8n loads the credential without the nodes. Its test sends the key to the same address as they do.',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/', pathNot: `${nodes}credential/` },
		},
		{
			name: 'product-imports-product-only',
			comment:
				'Only dist is published, so the package must not need the sandbox, tests, benchmarks or scripts.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(sandbox|test|bench|scripts)/' },
		},
		{
			name: 'product-needs-n8n-workflow-only',
			comment: 'The package has no runtime dependencies.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: 'node_modules', pathNot: 'node_modules/n8n-workflow/' },
		},
		{
			name: 'service-and-mailbox-stand-alone',
			comment:
				'The service signs with its own code, so that the same mistake cannot be made in signing and verifying. It shares only HTTP code with the mailbox.',
			severity: 'error',
			from: { path: '^sandbox/(service|mailbox|shared/http)/' },
			to: { path: ours, pathNot: ['^sandbox/$1/', '^sandbox/shared/http/'] },
		},
		{
			name: 'sandbox-shares-what-knows-nobody',
			comment: 'You can read what the sandbox folders share without reading those folders.',
			severity: 'error',
			from: { path: '^sandbox/shared/' },
			to: { path: ours, pathNot: '^sandbox/shared/' },
		},
		{
			name: 'sandbox-sets-n8n-up-first',
			comment:
				'Queue mode starts n8n several times. The code that starts n8n depends neither on queue mode nor on the service.',
			severity: 'error',
			from: { path: '^sandbox/n8n/' },
			to: { path: ours, pathNot: '^sandbox/(n8n|shared)/' },
		},
		{
			name: 'tests-and-benchmarks-are-apart',
			comment: 'What both need to start, send and count is in the sandbox.',
			severity: 'error',
			from: { path: '^(test|bench)/' },
			to: { path: '^(test|bench)/', pathNot: '^$1/' },
		},
		{
			name: 'sandbox-stands-beside-the-product',
			comment: 'It installs the package and uses it over HTTP, as a user does.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: ours, pathNot: '^sandbox/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^sandbox/n8n/node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
