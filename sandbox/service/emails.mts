/** What looks like an email address, for the JSON schema and the guest page alike. */
export const EMAIL_PATTERN = '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$';

const email = new RegExp(EMAIL_PATTERN);

export function looksLikeEmail(text: string): boolean {
	return text.length <= 254 && email.test(text);
}

/** Email addresses are told apart without regard to case. */
export function isSameEmail(left: string, right: string): boolean {
	return left.toLowerCase() === right.toLowerCase();
}
