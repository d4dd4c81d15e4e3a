import fc from 'fast-check';
import { verifyDelivery } from '../../nodes/DataCollection/service/signature.ts';
import { judge } from '../support/judge.mts';
import { CURRENT, deliveries, MAXIMUM_AGE, PREVIOUS } from '../support/mutations.mts';

const NOW = 1_790_000_000_000;
const SECRETS = [CURRENT, ...PREVIOUS];

// A failure prints its seed and path: FUZZ='{"seed":1,"path":"2:0"}' runs it again.
const replay = JSON.parse(process.env.FUZZ ?? '{}') as fc.Parameters<unknown>;

test('20,000 deliveries: each is judged as by a verifier that shares no code with the package', () => {
	const counts = new Map<string, number>();
	const property = fc.property(deliveries, (make) => {
		const arrived = make(NOW);
		const verified = { verificationSecrets: SECRETS };
		const found = verifyDelivery(arrived, verified, MAXIMUM_AGE, new Date(NOW));
		const outcome = found.ok ? 'accepted' : found.error.outcome;
		expect(outcome).toBe(judge(arrived, SECRETS, MAXIMUM_AGE, NOW));
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	});
	fc.assert(property, { numRuns: 20_000, ...replay });
	// The cases are of use only if each kind is among them.
	if (process.env.FUZZ === undefined) {
		for (const kind of ['accepted', 'unverified', 'malformed', 'tooLarge']) {
			expect([kind, (counts.get(kind) ?? 0) > 50]).toEqual([kind, true]);
		}
	}
}, 120_000);
