/** What n8n answered to a call of its REST API that did not succeed. */
export class N8nRestError extends Error {
	readonly status: number;

	constructor(method: string, route: string, status: number, message: string) {
		super(`${method} ${route}: ${status} ${message}`);
		this.status = status;
	}
}

/** One call; returns the `data` of n8n's reply, or the whole reply when it has none. */
export type Send = <T>(
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
	route: string,
	body?: unknown,
) => Promise<T>;

/** A sender for one n8n that keeps the session cookie n8n hands out, or starts with one. */
export function createSend(url: string, session = ''): Send {
	let cookie = session;
	return async <T,>(...[method, route, body]: Parameters<Send>): Promise<T> => {
		const response = await fetch(`${url}${route}`, {
			method,
			// A connection each: n8n closes idle ones after 5 s, perhaps while a call is on its way.
			headers: { cookie, 'content-type': 'application/json', connection: 'close' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		const handed = response.headers.getSetCookie().map((line) => line.split(';')[0]);
		if (handed.length > 0) cookie = handed.join('; ');
		const reply = parse(await response.text());
		if (!response.ok) throw new N8nRestError(method, route, response.status, reply.message ?? '');
		return ('data' in reply ? reply.data : reply) as T;
	};
}

function parse(text: string): { data?: unknown; message?: string } {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : { data: value };
	} catch {
		return { message: text.slice(0, 300) };
	}
}
