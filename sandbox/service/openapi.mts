import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { FaultSettings } from './faults.mts';
import { HardMode } from './hardMode.mts';
import { ownChoices } from './ownChoices.mts';
import * as apiSchemas from './schemas/api.mts';
import { described, type Description } from './schemas/describe.mts';
import * as sandboxSchemas from './schemas/sandbox.mts';

const description = [
	'A local emulation of the multi-participant data collection service, for trying out workflows.',
	"Where the service's API leaves something open, the sandbox made its own choice:",
	...ownChoices.map((choice) => `- ${choice}`),
].join('\n');

const key = (known: string) =>
	described([known, 'How it is issued, what it allows and how long it lasts is unknown']);

const headers: Record<string, Description> = {
	'X-SVC-Signature':
		'HMAC SHA256 signature of the payload: lowercase hexadecimal, keyed by the webhookSecret, over `<timestamp>.<body>`',
	'X-SVC-Timestamp': [
		'Timestamp used when generating the signature',
		'Its unit is unknown',
		'in milliseconds, e.g. 1767225600000',
	],
	'X-SVC-Event': 'Event type, e.g. collection_request.updated',
	'X-SVC-Delivery-Id': ['Unique ID of this delivery', 'Its form is unknown', 'a UUID'],
	'User-Agent': 'Name and version of the webhook sender, e.g. svc-webhooks/1.0',
};

/** The `webhooks` section of the OpenAPI document (Webhooks). */
const webhooks = {
	'collection_request.updated': {
		post: {
			summary: 'Notification of a state change',
			...described([
				'One POST to the webhookUrl given at creation, sent when a collection request changes state. The delivery times out after 5 seconds and redirects are not followed',
				'Other events, which changes are reported, and whether a failed delivery is repeated are unknown',
				'it is sent when the share is created and when it is completed, and a failed delivery is not retried',
			]),
			parameters: Object.entries(headers).map(([name, description]) => {
				const schema = { type: 'string' as const };
				return { name, in: 'header' as const, required: true, ...described(description), schema };
			}),
			requestBody: {
				required: true,
				content: { 'application/json': { schema: { $ref: '#/components/schemas/Notification' } } },
			},
			responses: {
				'2XX': described([
					'The receiver has accepted the notification',
					'Which responses count as failures is unknown',
				]),
			},
		},
	},
};

/** Publishes the OpenAPI 3.1 document: the page at `/docs`, the document at `/docs/json`. */
export async function openApi(app: FastifyInstance): Promise<void> {
	for (const schema of Object.values({
		...apiSchemas,
		...sandboxSchemas,
		FaultSettings,
		HardMode,
	})) {
		if ('$id' in schema) app.addSchema(schema);
	}
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: { title: 'Data collection service (sandbox)', version: '1.0.0', description },
			servers: [
				{ url: '/', description: 'Staging, and what only the sandbox has' },
				{ url: '/production', description: 'Production: the API and the guest page' },
			],
			tags: [
				{ name: 'service', description: 'The API of the service' },
				{ name: 'guest', description: 'The guest page, for people and for scripts' },
				{ name: 'sandbox', description: 'Only the sandbox has these: control and inspection' },
			],
			components: {
				securitySchemes: {
					apiKey: { type: 'http', scheme: 'bearer', ...key('On every API call') },
					tokenId: { type: 'apiKey', in: 'header', name: 'tokenId', ...key('As well') },
				},
			},
			webhooks,
		},
		// Production is the document's second server, not a second list of the same paths.
		transform: ({ schema, url }) => ({
			schema: { ...schema, hide: schema?.hide || url.startsWith('/production/') },
			url,
		}),
		refResolver: { buildLocalReference: ({ $id }) => $id as string },
	});
	await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
}
