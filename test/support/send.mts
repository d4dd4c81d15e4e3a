import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Delivery } from './delivery.mts';

/**
 * Sends a delivery; header lines are sent exactly as they are, including repeated ones. Resolves to the
 * response, such as `200 accepted`, which stands for the JSON `{"status":"accepted"}` and nothing else.
 */
export async function send(url: string, { headers, body }: Delivery, within = 60_000) {
	const lines = [['Host', new URL(url).host], ...headers, ['Content-Length', String(body.length)]];
	const sent = { method: 'POST', agent: false, headers: lines.flat() };
	return await new Promise<string>((resolve, reject) => {
		const call = request(url, { ...sent, signal: AbortSignal.timeout(within) });
		call.on('error', reject);
		call.on('response', (response) => {
			const { statusCode, headers: given } = response;
			const isJson = /^application\/json\b/.test(given['content-type'] ?? '');
			textOf(response).then((text) => {
				const [, status = text] = (isJson && /^\{"status":"([a-z ]+)"\}$/.exec(text)) || [];
				resolve(`${statusCode} ${status}`);
			}, reject);
		});
		call.end(body);
	});
}
