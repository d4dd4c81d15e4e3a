/** jest's asymmetric matchers, otherwise typed as `any`, for use inside expected objects. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** The value, which the test expects to be a string. */
export function textOf(value: unknown): string {
	if (typeof value !== 'string') throw new Error(`Not a text: ${JSON.stringify(value)}`);
	return value;
}
