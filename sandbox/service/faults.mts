/** What can go wrong with a response of the API, on demand, and how the console names it. */
export const faultLabels = {
	busy: 'Too many requests (429)',
	status: 'An error status',
	slow: 'The response comes late',
	drip: 'The response comes byte by byte',
	cut: 'The connection breaks in the middle of the response',
	reset: 'The connection breaks, and nothing is done',
	resetAfterwards: 'The connection breaks, but it is done',
	html: 'A login page instead of data',
	truncated: 'JSON that stops in the middle',
	redirect: 'A redirect',
};
export type FaultKind = keyof typeof faultLabels;
export const faultKinds = Object.keys(faultLabels) as FaultKind[];

export const targetLabels = { all: 'Reads and creates', reads: 'Reads', creates: 'Creates' };
type FaultTarget = keyof typeof targetLabels;
export const faultTargets = Object.keys(targetLabels) as FaultTarget[];

/** A fault as it was asked for; what is left out has the default of {@link completeFault}. */
export interface Fault {
	kind: FaultKind;
	appliesTo: FaultTarget;
	/** How many responses still get it; null: all until it is cleared. */
	left: number | null;
	/** For `status` and `redirect`. */
	status: number;
	/** Seconds of Retry-After, for `busy` and `status`; null: no such header. */
	retryAfter: number | null;
	/** Milliseconds before the response for `slow`, before each byte for `drip`. */
	delayMs: number;
	/** For `redirect`. */
	location: string;
}

export interface Faults {
	fault: Fault | null;
	/** Milliseconds that every response of the API takes longer. */
	apiDelayMs: number;
	/** Beyond so many requests in a second the API answers 429; null: no limit. */
	requestsPerSecond: number | null;
	/** When the requests of the last second came. */
	recent: number[];
}

export function createFaults(): Faults {
	return { fault: null, apiDelayMs: 0, requestsPerSecond: null, recent: [] };
}

export function clearFaults(faults: Faults): void {
	Object.assign(faults, createFaults());
}

/** Fills what was left out. */
export function completeFault(given: Partial<Fault> & Pick<Fault, 'kind'>): Fault {
	return {
		appliesTo: 'all',
		left: 1,
		status: given.kind === 'redirect' ? 302 : 503,
		retryAfter: given.kind === 'busy' ? 1 : null,
		delayMs: given.kind === 'drip' ? 1000 : 10_000,
		location: 'https://elsewhere.example.com/',
		...given,
	};
}

/** The fault for this request, if there is one; it counts as used. */
export function takeFault(faults: Faults, method: string): Fault | undefined {
	const { fault } = faults;
	if (fault === null || !isMeant(fault, method)) return undefined;
	if (fault.left !== null) fault.left -= 1;
	if (fault.left === 0) faults.fault = null;
	return fault;
}

function isMeant({ appliesTo }: Fault, method: string): boolean {
	return appliesTo === 'all' || appliesTo === (method === 'POST' ? 'creates' : 'reads');
}

/** Counts a request; whether it is one too many for the last second. Refused ones do not count. */
export function isTooFast(faults: Faults, now: number): boolean {
	if (faults.requestsPerSecond === null) return false;
	faults.recent = faults.recent.filter((at) => now - at < 1000);
	if (faults.recent.length >= faults.requestsPerSecond) return true;
	faults.recent.push(now);
	return false;
}
