const PLAIN_DIGITS = /^[1-9]\d{0,18}$/;

/**
 * Reads an `X-SVC-Timestamp`. The interface shows digits and leaves their unit open, so the number
 * of digits decides: up to 11 seconds, 12-14 milliseconds, 15-17 microseconds, 18-19 nanoseconds.
 * Anything but plain digits without leading zeros is undefined.
 */
export function parseTimestamp(digits: string): Date | undefined {
	if (!PLAIN_DIGITS.test(digits)) return undefined;
	if (digits.length <= 11) return new Date(Number(digits) * 1000);
	if (digits.length <= 14) return new Date(Number(digits));
	if (digits.length <= 17) return new Date(Number(digits.slice(0, -3)));
	return new Date(Number(digits.slice(0, -6)));
}

/** Whether the time lies within `maximumAge` seconds of now, before or after; 0 switches the check off. */
export function isFresh(time: Date, now: Date, maximumAge: number): boolean {
	if (maximumAge === 0) return true;
	return Math.abs(now.getTime() - time.getTime()) <= maximumAge * 1000;
}
