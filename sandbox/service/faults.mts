import { Type, type Static, type TSchema } from 'typebox';

/** The faults that can be injected into API responses, with their labels in the console. */
export const faultLabels = {
	busy: 'Too many requests (429)',
	status: 'An error status',
	slow: 'A late response',
	drip: 'A response that arrives byte by byte',
	cut: 'The connection breaks in the middle of the response',
	reset: 'The connection breaks before the request is handled',
	resetAfterwards: 'The connection breaks after the request is handled',
	html: 'A login page instead of data',
	truncated: 'JSON that is cut off in the middle',
	redirect: 'A redirect',
};
export const targetLabels = { all: 'Reads and creates', reads: 'Reads', creates: 'Creates' };

/** The names in an object of labels. */
export const namesOf = <T extends object>(labels: T) =>
	Object.keys(labels) as Array<keyof T & string>;

const strict = { additionalProperties: false };
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 });
const atLeastOne = orNull(Type.Integer({ minimum: 1 }));

const Fault = Type.Object(
	{
		kind: Type.Enum(namesOf(faultLabels)),
		/** Which requests it applies to. */
		appliesTo: Type.Enum(namesOf(targetLabels)),
		/** How many more responses it applies to; null: until it is cleared. */
		left: atLeastOne,
		/** For status and redirect. */
		status: Type.Integer({ minimum: 300, maximum: 599 }),
		/** Seconds of Retry-After for busy and status; null: no such header. */
		retryAfter: orNull(Type.Integer({ minimum: 0 })),
		/** Milliseconds before the response for slow, after each byte for drip. */
		delayMs: milliseconds,
		/** Where a redirect leads. */
		location: Type.String(),
	},
	strict,
);
const GivenFault = Type.Object(
	{ ...Type.Partial(Fault).properties, kind: Fault.properties.kind },
	strict,
);

/** What goes wrong with responses of the API; anything left out is switched off. */
export const FaultSettings = Type.Object(
	{
		fault: Type.Optional(orNull(GivenFault)),
		/** By how many milliseconds every response of the API is delayed. */
		apiDelayMs: Type.Optional(milliseconds),
		/** Above it, the API responds with 429 and Retry-After: 1; null: no limit. */
		requestsPerSecond: Type.Optional(atLeastOne),
	},
	strict,
);

type GivenFault = Static<typeof GivenFault>;
export type FaultSettings = Static<typeof FaultSettings>;
export type Fault = Static<typeof Fault>;
export type Faults = ReturnType<typeof createFaults>;

/** The active faults: none at first. */
export function createFaults() {
	let now = complete({});
	let recent: number[] = [];
	return {
		settings: () => now,

		/** Replaces all settings and returns them; anything left out is switched off. */
		set(settings: FaultSettings) {
			recent = [];
			return (now = complete(settings));
		},

		/** The fault for this request, if any; it counts as used. */
		take(method: string): Fault | undefined {
			const { fault } = now;
			const target = method === 'POST' ? 'creates' : 'reads';
			if (fault === null || !['all', target].includes(fault.appliesTo)) return undefined;
			if (fault.left !== null) fault.left -= 1;
			if (fault.left === 0) now.fault = null;
			return fault;
		},

		/** Whether this request exceeds the limit per second; if not, it is counted. */
		isTooFast(at: number): boolean {
			if (now.requestsPerSecond === null) return false;
			recent = recent.filter((earlier) => at - earlier < 1000);
			const isTooFast = recent.length >= now.requestsPerSecond;
			if (!isTooFast) recent.push(at);
			return isTooFast;
		},
	};
}

function complete({ fault, apiDelayMs = 0, requestsPerSecond = null }: FaultSettings) {
	return { fault: fault ? completeFault(fault) : null, apiDelayMs, requestsPerSecond };
}

function completeFault(given: GivenFault): Fault {
	const { kind } = given;
	const { appliesTo = 'all', left = 1, location = 'https://elsewhere.example.com/' } = given;
	const { status = kind === 'redirect' ? 302 : 503 } = given;
	const { retryAfter = kind === 'busy' ? 1 : null } = given;
	const { delayMs = kind === 'drip' ? 1000 : 10_000 } = given;
	return { kind, appliesTo, left, status, retryAfter, delayMs, location };
}
