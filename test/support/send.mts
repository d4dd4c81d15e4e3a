import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Delivery } from './delivery.mts';

export interface Answer {
	status: number;
	contentType: string;
	text: string;
}

/** Sends a delivery; header lines are sent exactly as they are, including repeated ones. */
export async function send(url: string, { headers, body }: Delivery, within = 60_000) {
	const lines = [['Host', new URL(url).host], ...headers, ['Content-Length', String(body.length)]];
	const sent = { method: 'POST', agent: false, headers: lines.flat() };
	return await new Promise<Answer>((resolve, reject) => {
		const call = request(url, { ...sent, signal: AbortSignal.timeout(within) });
		call.on('error', reject);
		call.on('response', (response) => {
			const { statusCode: status = 0, headers: given } = response;
			text(response).then((answer) => {
				resolve({ status, contentType: given['content-type'] ?? '', text: answer });
			}, reject);
		});
		call.end(body);
	});
}

/** What a sender may learn (docs/trigger.md, How the signature is checked): a constant body each, nothing from the request. */
const responses = {
	accepted: [200, '{"status":"accepted"}'],
	filtered: [200, '{"status":"filtered"}'],
	duplicate: [200, '{"status":"duplicate"}'],
	malformed: [400, '{"status":"malformed"}'],
	unverified: [401, '{"status":"unverified"}'],
	tooLarge: [413, '{"status":"too large"}'],
	notConfigured: [500, '{"status":"not configured"}'],
} as const;

export type Outcome = keyof typeof responses;

/** Fails unless the response is the constant one, as JSON. */
export function assertAnswer(answer: Answer, outcome: Outcome): void {
	const [status, text] = responses[outcome];
	expect({ status: answer.status, text: answer.text }).toStrictEqual({ status, text });
	expect(answer.contentType).toMatch(/^application\/json\b/);
}

/** The outcome of a constant response; undefined for any other response. */
export function outcomeOf({ status, text, contentType }: Answer): Outcome | undefined {
	if (!/^application\/json\b/.test(contentType)) return undefined;
	const outcomes = Object.keys(responses) as Outcome[];
	return outcomes.find((name) => responses[name][0] === status && responses[name][1] === text);
}
