import { clock } from '../basics/clock';
import { err, type Result } from '../basics/result';
import { type Delivery, type Refusal, type Verified, verifyDelivery } from './signature';
import type { WebhookSecrets } from './webhookSecrets';

/** Why a delivery is not accepted. The reason is for n8n's log: the sender only learns the outcome. */
export interface Rejection {
	outcome: Refusal['outcome'] | 'notConfigured';
	reason: string;
}

/** Verifies a delivery with the credential's webhook secrets. The maximum age is in seconds. */
export function checkDelivery(
	delivery: Delivery,
	{ verificationError, verificationSecrets, doubt }: WebhookSecrets,
	maximumAge: number,
): Result<Verified, Rejection> {
	if (verificationError !== undefined && verificationSecrets.length === 0) {
		const reason = `Not configured: ${verificationError.message}`;
		return err({ outcome: 'notConfigured', reason });
	}
	const now = new Date(clock.now());
	const verified = verifyDelivery(delivery, { verificationSecrets }, maximumAge, now);
	if (verified.ok) return verified;
	const { outcome, reason } = verified.error;
	const hint = verificationError ?? doubt;
	const unused = hint === undefined ? '' : `; ${hint.message}`;
	return err({ outcome, reason: `Delivery refused (${outcome}): ${reason}${unused}` });
}
