/** Far above any resource of the service; n8n itself takes bodies of up to 16 MiB from others. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

/** The JSON value of a body, or its text where it is no JSON; nothing of one that is too large. */
export interface Body {
	content: unknown;
	isTooLarge?: true;
}

/** A body that arrives bit by bit, as Node's readable streams do. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is BodyStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;

/**
 * Reads a response's body, unpacked, up to 64 MiB; what is larger is cut off and its connection
 * closed, and so it is when the signal aborts. Rejects when the connection breaks off.
 */
export async function readBody(body: unknown, signal: AbortSignal): Promise<Body> {
	if (!isStream(body)) return { content: body };
	const close = () => body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);

	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		// Leaving the loop destroys the stream.
		if (size > MAXIMUM_BYTES) return { content: undefined, isTooLarge: true };
		chunks.push(chunk);
	}
	const text = new TextDecoder().decode(Buffer.concat(chunks));
	try {
		return { content: JSON.parse(text) };
	} catch {
		return { content: text };
	}
}
