import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Marks a description of what the API leaves open (What is unknown). */
export const OWN_CHOICE = "The sandbox's own choice (the service's API leaves it open)";

type Description = string | ReturnType<typeof open>;

/**
 * A description of what the API leaves open: what is known, what is not, and the sandbox's choice, if
 * it had to make one. The document of the service itself says the second in place of the third.
 */
export const open = (known: string, unknown: string, choice = '') => ({
	description: choice ? `${known}. ${OWN_CHOICE}: ${choice}` : known,
	'x-unknown': `${known}. ${unknown}`,
});
const described = (text: Description) => (typeof text === 'string' ? { description: text } : text);

export const text = (description: Description, more = {}) =>
	Type.String({ ...described(description), ...more });
export const integer = (description: Description, more = {}) =>
	Type.Integer({ ...described(description), ...more });
export const truth = (description: Description) => Type.Boolean(described(description));
export const list = <T extends TSchema>(description: Description, items: T) =>
	Type.Array(items, described(description));

/** Text that is a time. */
export const timestamp = (description: string) =>
	text(`${description} (ISO 8601, UTC)`, { format: 'date-time' });

/** The same, or null. */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
	Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** An object; what it need not have is marked by Type.Optional. */
export const record = <P extends TProperties>(description: Description, properties: P, more = {}) =>
	Type.Object(properties, { ...described(description), ...more });

/** An object with a name of its own in the OpenAPI document. */
export const named = <P extends TProperties>(
	$id: string,
	description: Description,
	properties: P,
	more = {},
) => Object.assign(record(description, properties, more), { $id });

/** A mention of a named object; for a response with what it is there. */
export const ref = <P extends TProperties>(
	schema: TObject<P> & { $id: string },
	description = '',
) =>
	Type.Unsafe<Static<TObject<P>>>({
		$ref: `${schema.$id}#`,
		...(description && { description }),
	});
