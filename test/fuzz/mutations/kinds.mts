import fc from 'fast-check';
import type { Mutation } from '../support/mutation.mts';
import { contentMutations } from './content.mts';
import { encodingMutations } from './encodings.mts';
import { headerMutations } from './headers.mts';
import { secretMutations, signatureMutations } from './signature.mts';
import { tamperingMutations } from './tampering.mts';
import { timestampMutations } from './timestamp.mts';
import { transferMutations } from './transfer.mts';
import { asBytes, typeMutations } from './types.mts';

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

/** How one case comes about. */
export interface Plan {
	kind: string;
	mutations: Mutation[];
	/** How many of it are sent at the same moment. */
	copies: number;
	/** How many cases ago the one was that is sent again; 0 for a new one. */
	back: number;
}

const plan = (kind: string, mutations: Mutation[], copies = 1, back = 0): Plan => ({
	...{ kind, mutations, copies, back },
});

/** Of changes to the body, n8n would answer most by itself. */
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

/** The same signed notification again; what is not signed may differ. */
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
