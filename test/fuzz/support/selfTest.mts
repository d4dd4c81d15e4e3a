import { answerOf, type Outcome } from '../../support/answers.mts';
import { draw, makeCase } from './cases.mts';
import { assess, miscounted, type Entry } from './ledger.mts';
import type { World } from './request.mts';

const cases = 300;

function entriesOf(seed: number, world: World, outcome: Outcome): Entry[] {
	return Array.from({ length: cases }, (_, index) => {
		const now = Date.now();
		const made = makeCase(draw(seed, index), world, now);
		const answer = answerOf(outcome);
		return assess({ index, made, sentAt: now, answeredAt: now, answer }, world);
	});
}

/** What the rules would not notice of receivers that give everybody the same answer. */
export function blindSpots(seed: number, world: World): string[] {
	const has = (outcome: Outcome, fault: Entry['fault']) =>
		entriesOf(seed, world, outcome).some((entry) => entry.fault === fault);
	const noticed: Record<string, boolean> = {
		'one that accepts everything': has('accepted', 'forgery accepted'),
		'one that refuses everything': has('unverified', 'genuine refused'),
		'one that never has a secret': has('notConfigured', 'unexpected answer'),
		'one that calls everything a duplicate':
			miscounted(entriesOf(seed, world, 'duplicate')).length > 0,
	};
	return Object.keys(noticed).filter((receiver) => noticed[receiver] === false);
}
