import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { FaultSettings } from './faults.mts';
import { ownChoices } from './ownChoices.mts';
import * as apiSchemas from './schemas/api.mts';
import * as sandboxSchemas from './schemas/sandbox.mts';
import { webhooks } from './schemas/webhooks.mts';

const description = [
	'A local emulation of the multi-participant data collection service, for trying workflows out.',
	"Where the service's API leaves something open, the sandbox made its own choice:",
	...ownChoices.map((choice) => `- ${choice}`),
].join('\n');

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
					apiKey: {
						type: 'http',
						scheme: 'bearer',
						description: 'Authorization: Bearer <API_KEY>, on every API call',
					},
					tokenId: {
						type: 'apiKey',
						in: 'header',
						name: 'tokenId',
						description: 'Token ID, on every API call',
					},
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
