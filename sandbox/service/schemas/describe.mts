import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Marks a description of what the API leaves open (What is unknown). */
export const OWN_CHOICE = "The sandbox's own choice (the service's API leaves it open)";

/** What is known; where the API leaves something open, also what is not, and the sandbox's choice. */
export type Description = string | [known: string, unknown: string, choice?: string];

/** The description as a schema has it; the document of the service itself says what is unknown. */
export function described(given: Description) {
	if (typeof given === 'string') return { description: given };
	const [known, unknown, choice] = given;
	const description = choice ? `${known}. ${OWN_CHOICE}: ${choice}` : known;
	return { description, 'x-unknown': `${known}. ${unknown}` };
}

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

/** An object with these properties. */
export const record = <P extends TProperties>(description: Description, properties: P, more = {}) =>
	Type.Object(properties, { ...described(description), ...more });

/** Properties that an object need not have. */
export const optional = <P extends TProperties>(properties: P) =>
	Type.Partial(Type.Object(properties)).properties;

/** An object with a name of its own in the OpenAPI document. */
export const named = <P extends TProperties>($id: string, ...of: Parameters<typeof record<P>>) =>
	Object.assign(record(...of), { $id });

/** A mention of a named object; for a response with what it is there. */
export const ref = <P extends TProperties>(
	schema: TObject<P> & { $id: string },
	description = '',
) =>
	Type.Unsafe<Static<TObject<P>>>({ $ref: `${schema.$id}#`, ...(description && { description }) });
