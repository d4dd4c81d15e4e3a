import { Type, type Static } from 'typebox';
import {
	integer,
	named,
	nullable,
	optional,
	OWN_CHOICE,
	record,
	text,
} from './schemas/describe.mts';

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

const milliseconds = (description: string) =>
	integer(description, { minimum: 0, maximum: 600_000 });
const count = (description: string, minimum: number) => nullable(integer(description, { minimum }));
const kinds = Object.entries(faultLabels).map(([kind, label]) => `${kind}: ${label}`);

const GivenFault = record(
	`${OWN_CHOICE}: what goes wrong`,
	{
		kind: Type.Enum(namesOf(faultLabels), { description: kinds.join('; ') }),
		...optional({
			appliesTo: Type.Enum(namesOf(targetLabels), { description: 'Which requests it applies to' }),
			left: count(
				'How many more responses it applies to, 1 unless given; null: until it is cleared',
				1,
			),
			status: integer('For status and redirect', { minimum: 300, maximum: 599 }),
			retryAfter: count('Seconds of Retry-After for busy and status; null: no such header', 0),
			delayMs: milliseconds('Milliseconds before the response for slow, after each byte for drip'),
			location: text('Where a redirect leads'),
		}),
	},
	{ additionalProperties: false },
);

export const FaultSettings = named(
	'FaultSettings',
	'What goes wrong with responses of the API',
	optional({
		fault: nullable(GivenFault),
		apiDelayMs: milliseconds('Milliseconds by which every response of the API is delayed'),
		requestsPerSecond: count(
			'Rate limit: above it, the API responds with 429 and Retry-After: 1; null: no limit',
			1,
		),
	}),
	{ additionalProperties: false },
);

type GivenFault = Static<typeof GivenFault>;
export type FaultSettings = Static<typeof FaultSettings>;
export type Fault = Required<GivenFault>;
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
