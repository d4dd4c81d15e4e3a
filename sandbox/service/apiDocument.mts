import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

type Json = Record<string, unknown>;

const info = {
	title: 'Multi-participant data collection service',
	version: 'unknown',
	'x-unknown': true,
	description:
		'What n8n-nodes-data-collection knows of the API of the service. Whatever carries `x-unknown: true` has been shown to this project in part only, or not at all, and its description says what is unknown: how the API is versioned, to begin with.',
};
const externalDocs = {
	url: 'https://github.com/n8n-nodes-data-collection/n8n-nodes-data-collection/blob/main/docs/service-api.md',
};
const server = {
	url: '{base_url}',
	description: 'Production and staging each have an address. Both are unknown',
	'x-unknown': true,
	variables: { base_url: { default: 'https://api.example.com' } },
};
const failure = {
	description: 'An error. Its status codes, its codes and the shape of its body are unknown',
	'x-unknown': true,
};

/**
 * The OpenAPI document of the service itself, derived from the sandbox's: only the service's API
 * and webhook. Each choice that the sandbox made becomes `x-unknown: true` and what is unknown.
 */
export function apiDocument({ openapi, components, paths, webhooks }: Json): Json {
	const { schemas, securitySchemes } = components as { schemas: Json; securitySchemes: Json };
	const all = Object.entries(paths as Record<string, Record<string, Operation>>);
	const ofService = all.filter(([path]) => path.startsWith('/di/'));
	const described = {
		paths: mapped(ofService, (item) => mapped(Object.entries(item), operation)),
		webhooks,
	};
	const named = [...schemasIn(described, schemas)]
		.sort()
		.map((name) => [name, schemas[name]] as const);
	const shown = { schemas: mapped(named, withoutChecks), securitySchemes };
	const document = { openapi, info, externalDocs, servers: [server], ...described };
	return withoutChoices({ ...document, components: shown });
}

/** An object of the entries with changed values. */
const mapped = <T,>(entries: Entries<T>, change: (value: T, key: string) => unknown) =>
	Object.fromEntries(entries.map(([key, value]) => [key, change(value, key)])) as Json;

type Operation = Json & { responses: Record<string, Json> };
type Entries<T> = ReadonlyArray<readonly [string, T]>;

function operation({ operationId, summary, security, ...described }: Operation): Json {
	const { parameters, requestBody, responses } = described;
	const response = {
		description: 'Success. Which status code it has is unknown',
		'x-unknown': true,
		content: Object.values(responses)[0]?.content,
	};
	const known = { operationId, summary, security, parameters, requestBody };
	return { ...known, responses: { '2XX': response, default: failure } };
}

/** The names of all schemas that something references, directly or indirectly. */
function schemasIn(node: unknown, schemas: Json, found = new Set<string>()): Set<string> {
	for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
		if (!found.has(name)) schemasIn(schemas[name], schemas, found.add(name));
	}
	return found;
}

const change = (node: unknown, reviver: (key: string, value: unknown) => unknown) =>
	JSON.parse(JSON.stringify(node), reviver) as Json;

/** The API documents checks only for these two, and fewer types than the sandbox. */
function withoutChecks(schema: unknown, name: string): unknown {
	if (name === 'Notification' || name === 'Created') return schema;
	const isSent = name === 'CreateCollectionRequestDto';
	return change(schema, (key, value) => {
		if (['required', 'pattern', 'minimum', 'maxLength'].includes(key)) return undefined;
		if (key === 'deleteTime') return { ...(value as Json), type: undefined };
		return isSent && value === 'integer' ? 'number' : value;
	});
}

/** Replaces each choice in the sandbox's document with what is unknown. */
const withoutChoices = (node: Json) =>
	change(node, (_key, value) => {
		const { 'x-unknown': description } = (value ?? {}) as Json;
		if (typeof description !== 'string') return value;
		return { ...(value as Json), description, 'x-unknown': true };
	});

/** Rewrites the file. Loads the service only here, since tests only build the document. */
async function write(file: string): Promise<void> {
	const { buildApp } = await import('./app.mts');
	const app = await buildApp({ deliveryTimeoutMs: 0, recordSecrets: false });
	await app.ready();
	writeFileSync(file, JSON.stringify(apiDocument({ ...app.swagger() })));
	execFileSync('npx', ['prettier', '--write', file]);
	await app.close();
}

if (process.argv[1]?.endsWith('apiDocument.mts')) void write('docs/service-api.openapi.json');
