import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Marks a description of what the API leaves open (What is unknown). */
export const OWN_CHOICE = "The sandbox's own choice (the service's API leaves it open)";

export const text = (description: string, more = {}) => Type.String({ description, ...more });
export const integer = (description: string, more = {}) => Type.Integer({ description, ...more });
export const truth = (description: string) => Type.Boolean({ description });
export const list = <T extends TSchema>(description: string, items: T) =>
	Type.Array(items, { description });

/** Text that is a time. */
export const timestamp = (description: string) =>
	text(`${description} (ISO 8601, UTC)`, { format: 'date-time' });

/** The same, or null. */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
	Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** An object; what it need not have is marked by Type.Optional. */
export const record = <P extends TProperties>(description: string, properties: P, more = {}) =>
	Type.Object(properties, { description, ...more });

/** An object with a name of its own in the OpenAPI document. */
export const named = <P extends TProperties>(
	$id: string,
	description: string,
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
