import { OWN_CHOICE } from './describe.mts';

function header(name: string, description: string, example: string) {
	return {
		name,
		in: 'header',
		required: true,
		description,
		schema: { type: 'string' },
		example,
	} as const;
}

/** The `webhooks` section of the OpenAPI document (Webhooks). */
export const webhooks = {
	'collection_request.updated': {
		post: {
			summary: 'Notification of a state change',
			description: [
				'One POST to the webhookUrl given at creation, sent when a collection request changes state.',
				'The delivery times out after 5 seconds and redirects are not followed.',
				`${OWN_CHOICE}: it is sent when the share is created and when it is completed, and a failed delivery is not repeated.`,
			].join(' '),
			parameters: [
				header(
					'X-SVC-Signature',
					'HMAC SHA256 signature of the payload: lowercase hexadecimal, keyed by the webhookSecret, over `<timestamp>.<body>`',
					'c4c1f7f6c2c9a1d4d6a2b7a0c9f1e3d5b7a9c1e3f5d7b9a1c3e5f7d9b1a3c5e7',
				),
				header(
					'X-SVC-Timestamp',
					`Timestamp used when generating the signature. ${OWN_CHOICE}: in milliseconds`,
					'1767225600000',
				),
				header('X-SVC-Event', 'Event type', 'collection_request.updated'),
				header(
					'X-SVC-Delivery-Id',
					`Unique ID of this delivery. ${OWN_CHOICE}: a UUID`,
					'6f1f3c58-6a3e-4a7e-9c55-0f7a1b0c2d3e',
				),
				header('User-Agent', 'Name and version of the webhook sender', 'svc-webhooks/1.0'),
			],
			requestBody: {
				required: true,
				content: {
					'application/json': { schema: { $ref: '#/components/schemas/Notification' } },
				},
			},
			responses: {
				'2XX': { description: 'The receiver has accepted the notification' },
			},
		},
	},
};
