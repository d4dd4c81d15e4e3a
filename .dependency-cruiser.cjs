const nodes = '^nodes/DataCollection/';
const ours = '^(nodes|credentials|sandbox|test|bench|scripts)/(?!node_modules/)';

/** Who may import whom. Each rule's comment is its reason. */
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
			comment: 'A node file holds the description and hands over to its actions or its trigger.',
			severity: 'error',
			from: { path: '\\.node\\.ts$' },
			to: { path: nodes, pathNot: `${nodes}(actions|trigger)/` },
		},
		{
			name: 'actions-and-trigger-are-apart',
			comment: 'Each node can be read and changed without the other.',
			severity: 'error',
			from: { path: `${nodes}(actions|trigger)/` },
			to: { path: `${nodes}(actions|trigger)/`, pathNot: `${nodes}$1/` },
		},
		{
			name: 'router-knows-resources-only',
			comment: 'An operation is added in its own file and in the index of its resource.',
			severity: 'error',
			from: { path: `${nodes}actions/[^/]+\\.ts$` },
			to: { path: `${nodes}actions/[^/]+/`, pathNot: `${nodes}actions/[^/]+/index\\.ts$` },
		},
		{
			name: 'index-knows-its-operations-only',
			comment: 'The index of a resource lists its operations and does nothing itself.',
			severity: 'error',
			from: { path: `${nodes}actions/([^/]+)/index\\.ts$` },
			to: {
				path: nodes,
				pathNot: [`${nodes}actions/$1/.*\\.operation\\.ts$`, `${nodes}actions/[^/]+\\.ts$`],
			},
		},
		{
			name: 'resources-do-not-know-each-other',
			comment: 'What two resources need lies beside them, in actions.',
			severity: 'error',
			from: { path: `${nodes}actions/([^/]+)/` },
			to: { path: `${nodes}actions/([^/]+)/`, pathNot: `${nodes}actions/$1/` },
		},
		{
			name: 'api-and-webhook-serve-both-nodes',
			comment:
				'What the service is asked, and what it sends, is the same for both nodes: neither room knows who uses it, or the other.',
			severity: 'error',
			from: { path: `${nodes}(api|webhook)/` },
			to: { path: `${nodes}[^/]+/`, pathNot: [`${nodes}$1/`, `${nodes}credential/`] },
		},
		{
			name: 'credential-and-root-need-nobody',
			comment: 'They are the ground that the rooms stand on.',
			severity: 'error',
			from: { path: [`${nodes}credential/`, `${nodes}[^/]+(?<!\\.node)\\.ts$`] },
			to: { path: `${nodes}[^/]+/`, pathNot: `${nodes}credential/` },
		},
		{
			name: 'credentials-share-the-rules-of-a-credential',
			comment:
				'n8n loads a credential without the nodes. It shares their rule of what an address is, so that its test sends the key nowhere else.',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/', pathNot: `${nodes}credential/` },
		},
		{
			name: 'product-imports-product-only',
			comment: 'Only dist is published: the package must not need sandbox, tests or benches.',
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
				'The service signs with its own code, so that a signing mistake cannot cancel itself out. What it shares with the mailbox knows nothing else.',
			severity: 'error',
			from: { path: '^sandbox/(service|mailbox|shared/http)/' },
			to: { path: ours, pathNot: ['^sandbox/$1/', '^sandbox/shared/http/'] },
		},
		{
			name: 'sandbox-shares-what-knows-nobody',
			comment: 'What all rooms of the sandbox share can be read without any of them.',
			severity: 'error',
			from: { path: '^sandbox/shared/' },
			to: { path: ours, pathNot: '^sandbox/shared/' },
		},
		{
			name: 'sandbox-sets-n8n-up-first',
			comment:
				'Queue mode is n8n several times. What starts n8n knows of neither that nor the service.',
			severity: 'error',
			from: { path: '^sandbox/n8n/' },
			to: { path: ours, pathNot: '^sandbox/(n8n|shared)/' },
		},
		{
			name: 'sandbox-stands-beside-the-product',
			comment: 'It installs the package and talks to it over HTTP, as a user does.',
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
