import { randomBytes } from 'node:crypto';
import { credentialType } from '../../../sandbox/n8n/examples.mts';
import type { Credential } from '../../../sandbox/n8n/types.mts';
import type { Deployment, Member } from '../../../bench/deployment/deployment.mts';
import { createReader, type Reader } from '../../../bench/deployment/executions.mts';
import {
	startServiceBehindFront,
	type ServiceBehindFront,
} from '../../../bench/deployment/service.mts';

/** What every fault needs: a deployment, the service, and a look into both. */
export interface Bench {
	deployment: Deployment;
	service: ServiceBehindFront;
	reader: Reader;
	credential: Credential;
	/** The webhook secret of the credential. */
	secret: string;
	/** Everything that a fault can end; those that must run first come first. */
	members: Member[];
	/** The process to kill: of several of a kind the one that works on an execution, or the first. */
	choose(victim: string, executionId?: string): Promise<string>;
	close(): Promise<void>;
}

export async function openBench(deployment: Deployment): Promise<Bench> {
	const { rest, url, folder } = deployment;
	const service = await startServiceBehindFront(folder);
	const secret = `whsec-${randomBytes(24).toString('base64url')}`;
	return {
		...{ deployment, service, secret },
		reader: await createReader(rest, url),
		credential: await rest.createCredential(
			'Faults',
			credentialType,
			service.credentialFields(secret),
		),
		members: [service.front, ...deployment.members],
		choose: async (victim, executionId) =>
			victim === service.front.name ? victim : await deployment.choose(victim, executionId),
		close: async () => {
			await deployment.stop();
			await service.stop();
		},
	};
}
