import type { Credential, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import type { BenchN8n } from './n8n.mts';
import { actionNode, node, withCredential } from './nodes.mts';
import { runNode } from './runNode.mts';
import type { BenchService } from './service.mts';

const nodeName = 'Create';

/** Makes the node that creates a collection request for every item. */
export type Way = (credential: Credential, serviceUrl: string) => WorkflowNode;

/** The package's node with this many items under way at once. */
export const packageNode =
	(concurrency: number): Way =>
	(credential) =>
		actionNode(nodeName, credential, {
			templateId: 'bench',
			output: 'collectionRequest',
			additionalFields: { webhookIdentifier: '={{ $json.i }}' },
			options: { concurrency },
		});

/** n8n's HTTP Request node with the same credential and the same requests, in these batches. */
export const httpRequest =
	(batchSize: number, batchInterval: number): Way =>
	(credential, serviceUrl) => {
		const request = node(nodeName, 'httpRequest', 4.2, {
			method: 'POST',
			url: `${serviceUrl}/di/collection-request/`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			sendBody: true,
			specifyBody: 'json',
			// Create sends the two limits, too, unless they are emptied.
			jsonBody:
				'={{ { templateId: "bench", minimumParticipants: 1, maximumParticipants: 10, webhookIdentifier: String($json.i) } }}',
			options: { batching: { batch: { batchSize, batchInterval } } },
		});
		return withCredential(request, credential);
	};

/**
 * Creates a collection request for each of so many items; resolves to the milliseconds that the node
 * took, as n8n measures it. A Failure if not every item was created exactly once and in order.
 */
export async function runCreates(n8n: BenchN8n, way: Way, service: BenchService, items: number) {
	const create = way(await n8n.credential(service.url), service.url);
	service.take();
	const { time, output } = await runNode(n8n, create, items, 'i');
	const isInOrder = output.every(({ json }, index) => json._id === `id-${index}`);
	if (!isInOrder || output.length !== items || new Set(service.take()).size !== items) {
		throw new Failure(`${create.type} did not create every item exactly once and in order.`);
	}
	return time;
}
