import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Marks a choice where the API leaves something open (What is unknown). */
export const OWN_CHOICE = "The sandbox's own choice (the service's API leaves it open)";

/** What is known and, where the API leaves something open, what is unknown and our choice. */
export type Description = string | [known: string, unknown: string, choice?: string];

/** The description in a schema's form; the service's own document says what is unknown. */
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

/** A string with a time. */
export const timestamp = (description: string) =>
	text(`${description} (ISO 8601, UTC)`, { format: 'date-time' });

/** The same schema, but also null. */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
	Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** An object with these properties. */
export const record = <P extends TProperties>(description: Description, properties: P, more = {}) =>
	Type.Object(properties, { ...described(description), ...more });

/** Properties that an object may omit. */
export const optional = <P extends TProperties>(properties: P) =>
	Type.Partial(Type.Object(properties)).properties;

/** An object with its own name in the OpenAPI document. */
export const named = <P extends TProperties>($id: string, ...of: Parameters<typeof record<P>>) =>
	Object.assign(record(...of), { $id });

/** A reference to a named object; for a response, with its description there. */
export const ref = <P extends TProperties>(
	schema: TObject<P> & { $id: string },
	description = '',
) =>
	Type.Unsafe<Static<TObject<P>>>({ $ref: `${schema.$id}#`, ...(description && { description }) });
