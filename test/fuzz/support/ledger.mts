import { outcomeOf, type Outcome } from '../../support/answers.mts';
import { isOwnAnswer } from '../../support/n8nAnswers.mts';
import type { Answer } from '../../support/send.mts';
import type { Case } from './cases.mts';
import { passageOf, type HostOutcome } from './host.mts';
import type { World } from './letters.mts';
import { judge, type Notification } from './reference.mts';

/** One request that was sent, and what came back. */
export interface Sent {
	index: number;
	made: Case;
	/** Milliseconds. */
	sentAt: number;
	answeredAt: number;
	answer: Answer | undefined;
}

/** What is wrong with an answer. */
export type Fault = 'forgery accepted' | 'genuine refused' | 'unexpected answer';

export interface Entry extends Sent {
	allowed: Array<Outcome | HostOutcome>;
	/** What it came to; undefined when it is none of the known answers. */
	outcome: Outcome | HostOutcome | undefined;
	/** Of verified ones: the same notification has the same. */
	signature: string;
	notification?: Notification;
	fault?: Fault;
}

function outcomeIn(answer: Answer | undefined, own: HostOutcome[]): Entry['outcome'] {
	if (answer === undefined) return 'none';
	const ours = outcomeOf(answer);
	return ours ?? own.find((name) => name !== 'none' && isOwnAnswer(answer, name));
}

function faultOf({ outcome, allowed }: Pick<Entry, 'outcome' | 'allowed'>): Fault | undefined {
	const found = outcome === 'duplicate' ? 'accepted' : outcome;
	if (found !== undefined && allowed.includes(found)) return undefined;
	if (found === 'accepted') return 'forgery accepted';
	return allowed.length === 1 && allowed[0] === 'accepted'
		? 'genuine refused'
		: 'unexpected answer';
}

/** Compares an answer with what may be answered at the time when it was sent or answered. */
export function assess(sent: Sent, world: World): Entry {
	const { own, arrived } = passageOf(sent.made.request);
	// Clocks are read in whole milliseconds.
	const times = arrived === undefined ? [] : [sent.sentAt - 1, sent.answeredAt + 1];
	const judgements = times.map((time) => judge(arrived ?? nothing, world, time));
	const notification = judgements.find((found) => found.notification)?.notification;
	const allowed = [...new Set([...own, ...judgements.flatMap(({ outcomes }) => outcomes)])];
	const outcome = outcomeIn(sent.answer, own);
	const signature = arrived?.values('x-svc-signature')[0] ?? '';
	const entry = { ...sent, allowed, outcome, signature, notification };
	return { ...entry, fault: faultOf(entry) };
}

const nothing = { values: () => [], body: undefined };

/** Notifications that were not accepted exactly once, though each of their answers may be right. */
export function miscounted(entries: Entry[]): Entry[] {
	const verified = entries.filter(({ allowed }) => allowed.includes('accepted'));
	const groups = Map.groupBy(verified, ({ signature }) => signature);
	return [...groups.values()].flatMap((group) => {
		const accepted = group.filter(({ outcome }) => outcome === 'accepted').length;
		const isDue = group.some(
			({ allowed, outcome }) => allowed.length === 1 || outcome === 'duplicate',
		);
		return accepted > 1 || (isDue && accepted === 0) ? group.slice(0, 1) : [];
	});
}
