import fc from 'fast-check';
import { plans, type Plan } from '../mutations/kinds.mts';
import { goodLetter, signedRequest, type Letter, type World } from './letters.mts';
import type { WireRequest } from './request.mts';

/** What is sent for one number of the run. */
export interface Case {
	plan: Plan;
	letter: Letter;
	request: WireRequest;
}

/** What stands fixed of a case before it is sent: the same for the same seed and number. */
export interface Draft {
	index: number;
	plan: Plan;
	write: (world: World, now: number) => Letter;
	/** The number of the case that it repeats; undefined for a new one. */
	original: number | undefined;
}

const drawn = fc.tuple(plans, goodLetter);

/** Seeds of neighbours must have nothing to do with each other. */
const mixed = (seed: number, index: number) => (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0;

/** Draws the case with a number. */
export function draw(seed: number, index: number): Draft {
	const [found] = fc.sample(drawn, { seed: mixed(seed, index), numRuns: 1 });
	if (found === undefined) throw new Error('fast-check has drawn nothing');
	const [plan, write] = found;
	const original = plan.back > 0 && plan.back <= index ? index - plan.back : undefined;
	return { index, plan, write, original };
}

/** The first cases, as many as make up this many deliveries. */
export function* firstCases(seed: number, deliveries: number): Iterable<Draft> {
	for (let index = 0, planned = 0; planned < deliveries; index += 1) {
		const draft = draw(seed, index);
		yield draft;
		planned += draft.plan.copies;
	}
}

/** The case with a number, and before it the one that it repeats. */
export function casesFor(seed: number, index: number): Draft[] {
	const draft = draw(seed, index);
	const { original } = draft;
	return original === undefined ? [draft] : [...casesFor(seed, original), draft];
}

/** Writes and signs the case at a time in milliseconds, or changes the one that it repeats. */
export function makeCase(
	{ index, plan, write }: Draft,
	world: World,
	now: number,
	original?: Case,
): Case {
	const { mutations } = plan;
	const letter =
		original?.letter ??
		mutations.reduce(
			(changed, mutation) => mutation.letter?.(changed, world, now) ?? changed,
			write(world, now),
		);
	const request = mutations.reduce(
		(changed, mutation) => mutation.request?.(changed, letter) ?? changed,
		original?.request ?? signedRequest(letter, `fuzz-${index}`),
	);
	return { plan, letter, request };
}
