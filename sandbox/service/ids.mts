import { randomBytes } from 'node:crypto';

/** A new ID: 24 lowercase hexadecimal characters (the sandbox's own choice of form). */
export function newId(): string {
	return randomBytes(12).toString('hex');
}

/** A new participant token for the guest page: 48 hexadecimal characters that cannot be guessed. */
export function newToken(): string {
	return randomBytes(24).toString('hex');
}
