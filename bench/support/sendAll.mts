import autocannon from 'autocannon';
import type { Delivery } from './delivery.mts';
import { Failure } from '../../sandbox/shared/failure.mts';

/** The outcome of many deliveries. */
export interface Responses {
	/** When the first was sent and the last response came, in milliseconds since 1970. */
	start: number;
	end: number;
	/** Milliseconds from request to response, one for each. */
	times: number[];
	/** How many responses had each HTTP status. */
	statuses: Map<number, number>;
}

/** What is sent, and how fast. */
interface Sending {
	url: string;
	/** A new delivery for each request. */
	make: () => Delivery;
	amount: number;
	/** Each connection waits for a response before it sends again. */
	connections: number;
}

/** Sends `amount` deliveries; throws a Failure if one gets no response. */
export async function sendAll({ url, make, amount, connections }: Sending): Promise<Responses> {
	const times: number[] = [];
	const statuses = new Map<number, number>();
	const setupRequest = (request: autocannon.Request): autocannon.Request => {
		const { headers, body } = make();
		return { ...request, headers: Object.fromEntries(headers), body };
	};
	const start = Date.now();
	// autocannon checks only once a second whether it is done.
	let end = start;
	const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
		const requests = [{ method: 'POST' as const, setupRequest }];
		const options = { url, connections, amount, timeout: 60, requests };
		const run = autocannon(options, (error: Error | null, result) => {
			if (error) reject(error);
			else resolve(result);
		});
		run.on('response', (_client, status, _bytes, time) => {
			times.push(time);
			end = Date.now();
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
		});
	});
	if (errors === 0 && times.length === amount) return { start, end, times, statuses };
	throw new Failure(
		`${times.length} of ${amount} deliveries got a response, ${timeouts} not in time`,
	);
}
