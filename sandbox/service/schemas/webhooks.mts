import { OWN_CHOICE } from './describe.mts';

const headers = {
	'X-SVC-Signature':
		'HMAC SHA256 signature of the payload: lowercase hexadecimal, keyed by the webhookSecret, over `<timestamp>.<body>`',
	'X-SVC-Timestamp': `Timestamp used when generating the signature. ${OWN_CHOICE}: in milliseconds, e.g. 1767225600000`,
	'X-SVC-Event': 'Event type, e.g. collection_request.updated',
	'X-SVC-Delivery-Id': `Unique ID of this delivery. ${OWN_CHOICE}: a UUID`,
	'User-Agent': 'Name and version of the webhook sender, e.g. svc-webhooks/1.0',
};
const string = { type: 'string' } as const;

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
			parameters: Object.entries(headers).map(([name, description]) => {
				return { name, in: 'header' as const, required: true, description, schema: string };
			}),
			requestBody: {
				required: true,
				content: {
					'application/json': { schema: { $ref: '#/components/schemas/Notification' } },
				},
			},
			responses: { '2XX': { description: 'The receiver has accepted the notification' } },
		},
	},
};
