const nodes = '^nodes/DataCollection/';
const ours = '^(nodes|credentials|sandbox|test|bench|scripts)/(?!node_modules/)';

/** By reason: files with the first path must not import those with the second, except the third. */
const rules = {
	'A node file only holds the description and calls the room that does the work': [
		'\\.node\\.ts$',
		nodes,
		`${nodes}(actions|trigger|wait)/`,
	],
	'What any program has builds on nothing': [`${nodes}basics/`, nodes, `${nodes}basics/`],
	'When a new n8n comes, this room is read again, and no other': [
		`${nodes}n8n/`,
		nodes,
		`${nodes}(n8n|basics)/`,
	],
	'The service is the same without n8n, which passes in what it needs': [
		`${nodes}service/`,
		nodes,
		`${nodes}(service|basics)/`,
	],
	'What actions and waits share knows neither': [
		`${nodes}operation/`,
		nodes,
		`${nodes}(operation|service|n8n|basics)/`,
	],
	'A wait can be read without the other operations': [
		`${nodes}wait/`,
		nodes,
		`${nodes}(wait|operation|service|n8n|basics)/`,
	],
	'The trigger can be read without the other node': [
		`${nodes}trigger/`,
		nodes,
		`${nodes}(trigger|service|n8n|basics)/`,
	],
	'The action node can be read without the trigger': [`${nodes}actions/`, `${nodes}trigger/`],
	'To add an operation, you change only its own file and the index of its resource': [
		`${nodes}actions/[^/]+\\.ts$`,
		`${nodes}actions/[^/]+/`,
		`${nodes}actions/[^/]+/index\\.ts$`,
	],
	'What two resources need goes into operation': [
		`${nodes}actions/([^/]+)/`,
		`${nodes}actions/([^/]+)/`,
		`${nodes}actions/$1/`,
	],
	'n8n loads the credential without the nodes, and sends the key to the same address as they do': [
		'^credentials/',
		'^nodes/',
		`${nodes}(service|n8n|basics)/`,
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

const typesOnly = {
	name: 'The service needs nothing of n8n but types',
	severity: 'error',
	from: { path: `${nodes}service/` },
	to: { path: 'node_modules/n8n-workflow/', dependencyTypesNot: ['type-only'] },
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
		.concat(typesOnly, circles),
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: ['^sandbox/n8n/node_modules', '/eslint\\.config\\.mjs$'] },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
