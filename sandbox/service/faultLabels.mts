import type { Fault, FaultKind } from './faults.mts';

/** The kinds of faults as the console names them, in the order of its list. */
export const faultLabels: ReadonlyArray<[FaultKind, string]> = [
	['busy', 'Too many requests (429)'],
	['status', 'An error status'],
	['slow', 'The response comes late'],
	['drip', 'The response comes byte by byte'],
	['cut', 'The connection breaks in the middle of the response'],
	['reset', 'The connection breaks, nothing is done'],
	['resetAfterwards', 'The connection breaks, but it is done'],
	['html', 'A login page instead of data'],
	['truncated', 'JSON that stops in the middle'],
	['redirect', 'A redirect'],
];

export const targetLabels: ReadonlyArray<[Fault['appliesTo'], string]> = [
	['all', 'Reads and creates'],
	['reads', 'Reads'],
	['creates', 'Creates'],
];
