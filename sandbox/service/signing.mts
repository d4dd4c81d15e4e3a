import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Signs a notification (Signature): lowercase hex over `<timestamp>.<body>`. */
export function sign(secret: string, timestamp: string, body: Buffer): string {
	return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** Compares two texts in constant time, whatever their lengths. */
export function isSameText(left: string, right: string): boolean {
	return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
