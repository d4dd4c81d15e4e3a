const product = '^nodes/DataCollection/';
const ours = '^(nodes|credentials|sandbox|test|bench|scripts)/(?!node_modules/)';

/** The rooms of the product: what each may import besides itself, and why nothing else. */
const rooms = {
	basics: ['', 'What any program has builds on nothing'],
	n8n: ['basics', 'When a new n8n comes, this room is read again first'],
	service: ['basics', 'The service is the same without n8n, which passes in what it needs'],
	shared: ['service|n8n|basics', 'What operations and the trigger share imports none of them'],
	people: [
		'shared|service|n8n|basics',
		'Who is invited, and who has joined, can be read without any operation',
	],
	wait: ['shared|service|n8n|basics', 'A wait can be read without the other operations'],
	trigger: ['shared|service|n8n|basics', 'The trigger can be read without the other node'],
	actions: [
		'people|wait|shared|service|n8n|basics',
		'The action node can be read without the trigger',
	],
};

/** Files with the first path must not import those with the second, except the third. */
const rules = [
	...Object.entries(rooms).map(([room, [others, reason]]) => [
		reason,
		`${product}${room}/`,
		product,
		`${product}(${[room, others].join('|')})/`,
	]),
	[
		'A node file only holds the description and calls the room that does the work',
		'\\.node\\.ts$',
		product,
		`${product}(actions|trigger|wait)/`,
	],
	[
		'To add an operation, you change only its own file and the index of its resource',
		`${product}actions/[^/]+\\.ts$`,
		`${product}actions/[^/]+/`,
		`${product}actions/[^/]+/index\\.ts$`,
	],
	[
		'What two resources need goes into shared',
		`${product}actions/([^/]+)/`,
		`${product}actions/([^/]+)/`,
		`${product}actions/$1/`,
	],
	[
		'n8n loads the credential without the nodes, and sends the key to the same address as they do',
		'^credentials/',
		'^nodes/',
		`${product}(service|n8n|basics)/`,
	],
	[
		'The package is published alone, without runtime dependencies',
		'^(nodes|credentials)/',
		'.',
		['^(nodes|credentials)/', '^(node:)?[a-z_]+$', 'node_modules/n8n-workflow/'],
	],
	[
		'What stands in for the service has its own code, so that a mistake cannot cancel itself out',
		'^test/support/',
		'^(nodes|credentials)/',
		'^$',
	],
	['You can read what the sandbox shares without the rest', '^sandbox/shared/', ours],
	[
		'What starts n8n does not know what else is started',
		'^sandbox/n8n/',
		ours,
		'^sandbox/(n8n|shared)/',
	],
	['The sandbox installs the package and uses it over HTTP, as a user does', '^sandbox/', ours],
	['Tests and benchmarks share only the sandbox', '^(test|bench)/', '^(test|bench)/', '^$1/'],
];

module.exports = {
	forbidden: [
		...rules.map(([name, path, to, pathNot = path]) => ({
			name,
			severity: 'error',
			from: { path },
			to: { path: to, pathNot },
		})),
		{
			// The clock has n8n's sleep, because n8n's linter refuses setTimeout.
			name: 'Outside n8n/ and the node files, n8n is only known by its types',
			severity: 'error',
			from: {
				path: '^(nodes|credentials)/',
				pathNot: [`${product}n8n/`, '\\.node\\.ts$', `${product}basics/clock\\.ts$`],
			},
			to: { path: 'node_modules/n8n-workflow/', dependencyTypesNot: ['type-only'] },
		},
		{
			name: 'A circle means that two files share one responsibility',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: ['^sandbox/n8n/node_modules'] },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
