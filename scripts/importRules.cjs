const nodes = '^nodes/DataCollection/';
const ours = '^(nodes|credentials|sandbox|test|bench|scripts)/(?!node_modules/)';

/** By reason: files with the first path must not import those with the second, except the third. */
const rules = {
	'A node file only holds the description and calls its actions or its trigger': [
		'\\.node\\.ts$',
		nodes,
		`${nodes}(actions|trigger)/`,
	],
	'You can read and change each node without the other': [
		`${nodes}(actions|trigger)/`,
		`${nodes}(actions|trigger)/`,
		`${nodes}$1/`,
	],
	'To add an operation, you change only its own file and the index of its resource': [
		`${nodes}actions/[^/]+\\.ts$`,
		`${nodes}actions/[^/]+/`,
		`${nodes}actions/[^/]+/index\\.ts$`,
	],
	'The index of a resource only lists its operations': [
		`${nodes}actions/([^/]+)/index\\.ts$`,
		nodes,
		[`${nodes}actions/$1/.*\\.operation\\.ts$`, `${nodes}actions/[^/]+\\.ts$`],
	],
	'What two resources need goes directly into actions': [
		`${nodes}actions/([^/]+)/`,
		`${nodes}actions/([^/]+)/`,
		`${nodes}actions/$1/`,
	],
	'The API and its notifications are the same for both nodes, and know nothing of each other': [
		`${nodes}(api|webhook)/`,
		`${nodes}[^/]+/`,
		[`${nodes}$1/`, `${nodes}credential/`],
	],
	'All other folders build on the credential and the files at the root': [
		[`${nodes}credential/`, `${nodes}[^/]+(?<!\\.node)\\.ts$`],
		`${nodes}[^/]+/`,
		`${nodes}credential/`,
	],
	'n8n loads the credential without the nodes, and sends the key to the same address as they do': [
		'^credentials/',
		'^nodes/',
		`${nodes}credential/`,
	],
	'Only the product is published': ['^(nodes|credentials)/', '^(sandbox|test|bench|scripts)/'],
	'The package has no runtime dependencies': [
		'^(nodes|credentials)/',
		'node_modules',
		'node_modules/n8n-workflow/',
	],
	'The service signs with its own code, so that a mistake cannot cancel itself out': [
		'^sandbox/(service|mailbox|shared/http)/',
		ours,
		['^sandbox/$1/', '^sandbox/shared/http/'],
	],
	'You can read what the sandbox shares without the rest': [
		'^sandbox/shared/',
		ours,
		'^sandbox/shared/',
	],
	'What starts n8n depends neither on queue mode nor on the service': [
		'^sandbox/n8n/',
		ours,
		'^sandbox/(n8n|shared)/',
	],
	'The sandbox installs the package and uses it over HTTP, as a user does': [
		'^sandbox/',
		ours,
		'^sandbox/',
	],
	'Tests and benchmarks share only the sandbox': ['^(test|bench)/', '^(test|bench)/', '^$1/'],
};

const circles = {
	name: 'A circle means that two files share one responsibility',
	severity: 'error',
	from: {},
	to: { circular: true },
};

module.exports = {
	forbidden: Object.entries(rules)
		.map(([name, [path, to, pathNot]]) => {
			return {
				name,
				severity: 'error',
				from: { path },
				to: { path: to, ...(pathNot && { pathNot }) },
			};
		})
		.concat(circles),
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: ['^sandbox/n8n/node_modules', '/eslint\\.config\\.mjs$'] },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
