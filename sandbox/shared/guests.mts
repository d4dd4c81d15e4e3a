import { Failure } from './failure.mts';
import { poll } from './poll.mts';

/** One POST of a notification as the sandbox service recorded it. */
export interface RecordedDelivery {
	deliveryId: string;
	shareStatus: string;
	/** null while no answer has come. */
	statusCode: number | null;
	answer: string;
	error: string | null;
}

/** What the sandbox service knows of a collection request. */
export interface RequestState {
	request: { participantList: Array<{ email: string }> };
	guestLink: string;
	deliveries: RecordedDelivery[];
}

async function callService(url: string, init?: RequestInit): Promise<unknown> {
	const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
	const text = await response.text();
	if (response.ok) return JSON.parse(text);
	throw new Failure(`The service answered ${response.status} to ${url}: ${text.slice(0, 300)}`);
}

/** The request, its share and its deliveries, read from the service itself. */
export async function readRequestState(url: string, requestId: string): Promise<RequestState> {
	return (await callService(`${url}/sandbox/requests/${requestId}`)) as RequestState;
}

/** Joins and submits as every invited participant; answers a line for each. */
export async function submitAnswers(url: string, requestId: string): Promise<string[]> {
	const { request, guestLink } = await readRequestState(url, requestId);
	const lines: string[] = [];
	for (const [index, { email }] of request.participantList.entries()) {
		const name = `${email.charAt(0).toUpperCase()}${email.slice(1).split('@')[0]} Example`;
		const answers = { 'Delivery address': `Example Street ${index + 1}, 8000 Zürich` };
		await callService(guestLink, {
			method: 'POST',
			headers: { 'content-type': 'application/json', accept: 'application/json' },
			body: JSON.stringify({ name, email, answers }),
		});
		lines.push(`${name} <${email}> has submitted`);
	}
	return lines;
}

/** The delivery that reported `completed`, once it has been answered with 200. */
export async function completedDelivery(url: string, requestId: string): Promise<RecordedDelivery> {
	const read = async () => {
		const { deliveries } = await readRequestState(url, requestId);
		return deliveries.find(({ shareStatus }) => shareStatus === 'completed');
	};
	return await poll({
		expected: 'a delivery with share status completed that n8n answered with 200',
		within: 15_000,
		read: async () => {
			const delivery = await read();
			return delivery?.statusCode === 200 ? delivery : undefined;
		},
		describe: async () => JSON.stringify((await read()) ?? 'no such delivery'),
	});
}
