import fc from 'fast-check';
import { goodLetter, signedRequest, type Letter, type World } from './letters.mts';
import { contentMutations, tamperingMutations } from './mutations/body.mts';
import { asBytes, encodingMutations, headerMutations, typeMutations } from './mutations/head.mts';
import type { Mutation } from './mutations/mutation.mts';
import { secretMutations, signatureMutations } from './mutations/signature.mts';
import { timestampMutations } from './mutations/timestamp.mts';
import { transferMutations } from './mutations/transfer.mts';
import type { WireRequest } from './wire.mts';

const single: Array<[name: string, weight: number, mutation: fc.Arbitrary<Mutation>]> = [
	['Headers', 12, headerMutations],
	['Signature', 10, signatureMutations],
	['Timestamp', 12, timestampMutations],
	['Secret', 6, secretMutations],
	['Signed body', 12, contentMutations],
	['Body after signing', 10, tamperingMutations],
	['Content-Encoding', 6, encodingMutations],
	['Content-Type', 6, typeMutations],
	['Transfer', 6, transferMutations],
];

/** How one case is made. */
export interface Plan {
	kind: string;
	mutations: Mutation[];
	/** How many copies are sent at the same moment. */
	copies: number;
	/** How many cases back the one to send again is; 0 for a new one. */
	back: number;
}

const plan = (kind: string, mutations: Mutation[], copies = 1, back = 0): Plan => ({
	...{ kind, mutations, copies, back },
});

/** Changes to the body, most of which n8n would refuse without asking the node. */
const ofBody = ['Signed body', 'Body after signing', 'Content-Encoding'];

const one = single.map(([name, weight, mutation]) => {
	const isUnread = ofBody.includes(name) ? fc.boolean() : fc.constant(false);
	const arbitrary = fc
		.tuple(mutation, isUnread)
		.map(([made, unread]) => plan(name, unread ? [made, asBytes] : [made]));
	return { weight, arbitrary };
});

const any = fc.oneof(...single.map(([, , mutation]) => mutation));
const several = fc.array(any, { minLength: 2, maxLength: 3 });

/** The same signed notification again; the unsigned parts may differ. */
const repeated = fc
	.tuple(
		fc.integer({ min: 1, max: 300 }),
		fc.option(headerMutations),
		fc.integer({ min: 1, max: 2 }),
	)
	.map(([back, change, copies]) => plan('Repetition', change ? [change] : [], copies, back));

const parallel = fc
	.integer({ min: 2, max: 6 })
	.map((copies) => plan('Repetition at the same moment', [], copies));

/** Every kind of case, as often as its weight says. */
export const plans: fc.Arbitrary<Plan> = fc.oneof(
	{ weight: 10, arbitrary: fc.constant(plan('None', [])) },
	...one,
	{ weight: 6, arbitrary: several.map((made) => plan('Several at once', made)) },
	{ weight: 6, arbitrary: repeated },
	{ weight: 2, arbitrary: parallel },
);

/** What is sent for one number of the run. */
export interface Case {
	plan: Plan;
	letter: Letter;
	request: WireRequest;
}

/** The part of a case fixed before it is sent: the same for the same seed and number. */
export interface Draft {
	index: number;
	plan: Plan;
	write: (world: World, now: number) => Letter;
	/** The number of the case that it repeats; undefined for a new one. */
	original: number | undefined;
}

const drawn = fc.tuple(plans, goodLetter);

/** The seeds of neighbouring cases must be unrelated. */
const mixed = (seed: number, index: number) => (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0;

/** Draws the case with this number. */
export function draw(seed: number, index: number): Draft {
	const [found] = fc.sample(drawn, { seed: mixed(seed, index), numRuns: 1 });
	if (found === undefined) throw new Error('fast-check has drawn nothing');
	const [plan, write] = found;
	const original = plan.back > 0 && plan.back <= index ? index - plan.back : undefined;
	return { index, plan, write, original };
}

/** The first cases that make up this many deliveries. */
export function* firstCases(seed: number, deliveries: number): Iterable<Draft> {
	for (let index = 0, planned = 0; planned < deliveries; index += 1) {
		const draft = draw(seed, index);
		yield draft;
		planned += draft.plan.copies;
	}
}

/** The case with this number, preceded by the one that it repeats. */
export function casesFor(seed: number, index: number): Draft[] {
	const draft = draw(seed, index);
	const { original } = draft;
	return original === undefined ? [draft] : [...casesFor(seed, original), draft];
}

/** Builds and signs the case at a time in milliseconds, or changes the case that it repeats. */
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
