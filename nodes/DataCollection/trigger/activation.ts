import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connectionOf } from '../context/connection';
import { INCOMPLETE_SECRETS } from '../shared/webhookSecrets';

/** Throws a NodeOperationError when no delivery could ever be verified, so that n8n does not activate. */
export async function assertReady(this: IHookFunctions): Promise<void> {
	const { webhookSecret, areIncomplete } = await connectionOf.call(this);
	if (areIncomplete) {
		throw new NodeOperationError(this.getNode(), INCOMPLETE_SECRETS.message, INCOMPLETE_SECRETS);
	}
	if (webhookSecret !== '') return;
	throw new NodeOperationError(this.getNode(), 'The credential has no webhook secret', {
		description:
			'Enter a Webhook Secret in the Data Collection API credential: without it no notification can be verified, and the trigger would refuse them all.',
	});
}
