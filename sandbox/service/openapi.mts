import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { FaultSettings } from './faults.mts';
import { ownChoices } from './ownChoices.mts';
import * as apiSchemas from './schemas/api.mts';
import { open } from './schemas/describe.mts';
import * as sandboxSchemas from './schemas/sandbox.mts';

const description = [
	'A local emulation of the multi-participant data collection service, for trying out workflows.',
	"Where the service's API leaves something open, the sandbox made its own choice:",
	...ownChoices.map((choice) => `- ${choice}`),
].join('\n');

const KEYS = 'How it is issued, what it allows and how long it lasts is unknown';

const headers = {
	'X-SVC-Signature': {
		description:
			'HMAC SHA256 signature of the payload: lowercase hexadecimal, keyed by the webhookSecret, over `<timestamp>.<body>`',
	},
	'X-SVC-Timestamp': open(
		'Timestamp used when generating the signature',
		'Its unit is unknown',
		'in milliseconds, e.g. 1767225600000',
	),
	'X-SVC-Event': { description: 'Event type, e.g. collection_request.updated' },
	'X-SVC-Delivery-Id': open('Unique ID of this delivery', 'Its form is unknown', 'a UUID'),
	'User-Agent': { description: 'Name and version of the webhook sender, e.g. svc-webhooks/1.0' },
};
const string = { type: 'string' } as const;

/** The `webhooks` section of the OpenAPI document (Webhooks). */
const webhooks = {
	'collection_request.updated': {
		post: {
			summary: 'Notification of a state change',
			...open(
				'One POST to the webhookUrl given at creation, sent when a collection request changes state. The delivery times out after 5 seconds and redirects are not followed',
				'Other events, which changes are reported, and whether a failed delivery is repeated are unknown',
				'it is sent when the share is created and when it is completed, and a failed delivery is not retried',
			),
			parameters: Object.entries(headers).map(([name, description]) => {
				return { name, in: 'header' as const, required: true, ...description, schema: string };
			}),
			requestBody: {
				required: true,
				content: {
					'application/json': { schema: { $ref: '#/components/schemas/Notification' } },
				},
			},
			responses: {
				'2XX': open(
					'The receiver has accepted the notification',
					'Which responses count as failures is unknown',
				),
			},
		},
	},
};

/** Publishes the OpenAPI 3.1 document: the page at `/docs`, the document at `/docs/json`. */
export async function openApi(app: FastifyInstance): Promise<void> {
	for (const schema of Object.values({ ...apiSchemas, ...sandboxSchemas, FaultSettings })) {
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
					apiKey: { type: 'http', scheme: 'bearer', ...open('On every API call', KEYS) },
					tokenId: { type: 'apiKey', in: 'header', name: 'tokenId', ...open('As well', KEYS) },
				},
			},
			webhooks,
		},
		// Production is the second server of the document, not a second list of the same paths.
		transform: ({ schema, url }) => ({
			schema: { ...schema, hide: schema?.hide || url.startsWith('/production/') },
			url,
		}),
		refResolver: { buildLocalReference: ({ $id }) => $id as string },
	});
	await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
}
