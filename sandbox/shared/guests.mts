import { Failure } from './failure.mts';
import { poll } from './poll.mts';

/** One POST of a notification as the sandbox service recorded it. */
export interface RecordedDelivery {
	deliveryId: string;
	shareStatus: string;
	/** null while no response has come. */
	statusCode: number | null;
	answer: string;
	error: string | null;
}

/** What is read here of what the sandbox service knows of a collection request. */
interface RequestState {
	deliveries: RecordedDelivery[];
}

async function callService(url: string, init?: RequestInit): Promise<unknown> {
	const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
	const text = await response.text();
	if (response.ok) return JSON.parse(text);
	throw new Failure(`The service answered ${response.status} to ${url}: ${text.slice(0, 300)}`);
}

async function readRequestState(url: string, requestId: string): Promise<RequestState> {
	return (await callService(`${url}/sandbox/requests/${requestId}`)) as RequestState;
}

/** Somebody who takes part. */
export interface Person {
	name: string;
	email: string;
}

/** Joins by the guest link and submits. */
export async function submitAnswers(
	guestLink: string,
	person: Person,
	answers: Record<string, string>,
): Promise<void> {
	await callService(guestLink, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify({ ...person, answers }),
	});
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
