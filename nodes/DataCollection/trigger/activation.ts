import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connectionOf } from '../context/connection';

/** Throws a NodeOperationError when no delivery could ever be verified, so that n8n does not activate. */
export async function assertReady(this: IHookFunctions): Promise<void> {
	const { webhookSecret } = await connectionOf.call(this);
	if (webhookSecret !== '') return;
	throw new NodeOperationError(this.getNode(), 'The credential has no webhook secret', {
		description:
			'Enter a Webhook Secret in the Data Collection API credential: without it no notification can be verified, and the trigger would refuse them all.',
	});
}
