/** Marks a description of what the API leaves open (What is unknown). */
export const OWN_CHOICE = "The sandbox's own choice (the service's API leaves it open)";

type JsonSchema = Readonly<Record<string, unknown>>;

export function text(description: string, more: JsonSchema = {}) {
	return { type: 'string', description, ...more };
}

export function nullableText(description: string) {
	return { type: ['string', 'null'], description };
}

export function timestamp(description: string) {
	return { type: 'string', format: 'date-time', description: `${description} (ISO 8601, UTC)` };
}

export function integer(description: string, more: JsonSchema = {}) {
	return { type: 'integer', description, ...more };
}

export function truth(description: string) {
	return { type: 'boolean', description };
}

export function list(description: string, items: JsonSchema) {
	return { type: 'array', description, items };
}

/** An object whose properties are all required but for the optional ones named. */
export function record(
	description: string,
	properties: Record<string, JsonSchema>,
	optional: readonly string[] = [],
) {
	const required = Object.keys(properties).filter((name) => !optional.includes(name));
	return { type: 'object', description, required, properties };
}

export function ref(id: string) {
	return { $ref: `${id}#` };
}
