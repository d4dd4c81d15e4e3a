import autocannon from 'autocannon';
import { Failure } from '../../sandbox/shared/failure.mts';
import type { Delivery } from '../../test/support/delivery.mts';

export interface Answers {
	/** When the first left and when the last was answered, in milliseconds since 1970. */
	start: number;
	end: number;
	/** Milliseconds from request to answer, one for each. */
	times: number[];
	/** How many were answered with each HTTP status. */
	statuses: Map<number, number>;
}

export interface Sending {
	url: string;
	/** A new delivery for each request. */
	make: () => Delivery;
	amount: number;
	/** Each waits for an answer before it sends again. */
	connections: number;
}

/** Sends as many deliveries as asked for; a Failure when one gets no answer. */
export async function sendAll({ url, make, amount, connections }: Sending): Promise<Answers> {
	const times: number[] = [];
	const statuses = new Map<number, number>();
	const setupRequest = (request: autocannon.Request): autocannon.Request => {
		const { headers, body } = make();
		return { ...request, headers: Object.fromEntries(headers), body };
	};
	const start = Date.now();
	// autocannon itself looks only once a second whether it is done.
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
		`${times.length} of ${amount} deliveries were answered, ${timeouts} not in time`,
	);
}
