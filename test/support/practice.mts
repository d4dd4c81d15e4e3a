import { readExample } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from './environment.mts';

// The practice service: the importable workflow that stands in for the service inside the user's n8n.

export const practiceUrl = `${n8nUrl}/webhook/data-collection-practice`;

/** The key that the practice service has everywhere. */
export const KEYS = { Authorization: 'Bearer practice-key', tokenId: 'practice-key' };

export const ADA = { name: 'Ada', email: 'ada@example.com' };

/** Imports and publishes the practice service, as it is in the file. */
export const publishPractice = async () =>
	await publish(rest, await rest.createWorkflow(await readExample('practice-service')));

/** A call of its API: POST if there is a body. */
export async function call(
	path: string,
	body?: Json,
	headers: Record<string, string> = KEYS,
	url = practiceUrl,
) {
	const response = await fetch(`${url}${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers: { ...headers, 'Content-Type': 'application/json' },
		body: body && JSON.stringify(body),
		// An execution that never ends would never respond.
		signal: AbortSignal.timeout(60_000),
	});
	return { status: response.status, json: (await response.json()) as Json };
}

/** Creates a collection request; returns its ID. */
export async function create(body: Json = {}): Promise<string> {
	const { status, json } = await call('/di/collection-request/', { templateId: 't', ...body });
	expect(status).toBe(201);
	return String(json._id);
}

/** The guest page of a collection request, opened or submitted. */
export async function guestPage(id: string, form?: Record<string, string>) {
	const body = form && new URLSearchParams(form);
	const method = body ? 'POST' : 'GET';
	const response = await fetch(`${practiceUrl}/request/${id}`, { method, body });
	return { status: response.status, text: await response.text() };
}
