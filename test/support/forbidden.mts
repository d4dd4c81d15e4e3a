const shortestRecognisable = 8;
const texts = new Set<string>();

/** Records a text that must appear neither in n8n's logs nor in what it stores; skips short ones. */
export function forbid(...secrets: string[]): void {
	for (const text of secrets) if (text.length >= shortestRecognisable) texts.add(text);
}

/** Every text that was recorded, also as written inside JSON, and inside JSON in JSON. */
export function forbidden(): string[] {
	const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
	return [...texts].flatMap((text) => [text, quoted(text), quoted(quoted(text))]);
}
