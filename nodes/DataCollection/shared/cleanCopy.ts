import type { GenericValue, IDataObject } from 'n8n-workflow';

/** Deeper values are refused: serialising them would exhaust the stack of whoever handles the item. */
export const MAXIMUM_DEPTH = 200;

/** Shorter secrets cannot be told apart from ordinary words and numbers in a text. */
const SHORTEST_RECOGNISABLE_SECRET = 8;

const HIDDEN = '(hidden)';

/** Whether every object has this name already, so that using it as a key could change the object. */
export function isInheritedName(name: string): boolean {
	return name === 'prototype' || name in Object.prototype;
}

/** Replaces each secret of 8 or more characters that the text contains. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	// The longest first: a shorter one inside it would leave the rest of it readable.
	return secrets
		.filter((secret) => secret.length >= SHORTEST_RECOGNISABLE_SECRET)
		.sort((left, right) => right.length - left.length)
		.reduce((hidden, secret) => hidden.split(secret).join(HIDDEN), text);
}

/**
 * A fresh copy of foreign JSON that is safe to emit: without keys that every object inherits
 * (`__proto__`, `constructor`, `toString`, ...) and without `webhookSecret` at any depth, secrets in
 * texts hidden. Throws a RangeError when nested deeper than {@link MAXIMUM_DEPTH}.
 */
export function cleanCopy(value: IDataObject, secrets: readonly string[]): IDataObject {
	const copyValue = (inner: unknown, depth: number): GenericValue => {
		if (typeof inner === 'string') return hideSecrets(inner, secrets);
		if (typeof inner !== 'object' || inner === null) return inner as GenericValue;
		if (depth > MAXIMUM_DEPTH) throw new RangeError('The value is nested too deeply');
		if (Array.isArray(inner)) return inner.map((entry) => copyValue(entry, depth + 1)) as never;
		return copyObject(inner, depth);
	};
	const copyObject = (object: object, depth: number): IDataObject =>
		Object.fromEntries(
			Object.entries(object)
				.filter(([name]) => !isInheritedName(name) && name !== 'webhookSecret')
				.map(([name, inner]) => [hideSecrets(name, secrets), copyValue(inner, depth + 1)]),
		);
	return copyObject(value, 0);
}
