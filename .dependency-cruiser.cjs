const nodes = '^nodes/DataCollection/';

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
			name: 'service-stands-alone',
			comment:
				'The service signs with its own code, so that a signing mistake cannot cancel itself out. What it shares with the mailbox knows nothing else.',
			severity: 'error',
			from: { path: '^sandbox/(service|shared/http)/' },
			to: {
				path: '^(nodes|credentials|sandbox|test|bench|scripts)/',
				pathNot: '^sandbox/(service|shared/http|node_modules)/',
			},
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^sandbox/n8n/node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
