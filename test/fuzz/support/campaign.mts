import { messageOf } from '../../../sandbox/shared/failure.mts';
import { draw, makeCase, type Case, type Draft } from './cases.mts';
import { assess, type Entry } from './ledger.mts';
import type { World } from './request.mts';
import { deliver } from './wire.mts';

/** Deliveries under way at once; more only wait inside n8n. */
const atOnce = 8;
/** Cases further back than any repetition reaches. */
const remembered = 1_000;

const noAnswer = (error: unknown) => ({ status: 0, contentType: '', text: messageOf(error) });

export interface Campaign {
	seed: number;
	/** Production URL of the trigger. */
	url: string;
	world: World;
	/** Told now and then how many deliveries have been answered. */
	onProgress: (answered: number) => void;
}

/** Sends the cases in order, a bounded number at once. */
export async function send(campaign: Campaign, drafts: Iterable<Draft>): Promise<Entry[]> {
	const { url, world, onProgress } = campaign;
	const entries: Entry[] = [];
	const done = new Map<number, Promise<Case>>();

	const sendOne = async (made: Case, index: number) => {
		const sentAt = Date.now();
		const answer = await deliver(url, made.request).catch(noAnswer);
		entries.push(assess({ index, made, sentAt, answeredAt: Date.now(), answer }, world));
		if (entries.length % 500 === 0) onProgress(entries.length);
	};
	const sendCase = async (draft: Draft): Promise<Case> => {
		const { index, original } = draft;
		const earlier = original === undefined ? undefined : await done.get(original);
		const made = makeCase(draft, world, Date.now(), earlier);
		await Promise.all(Array.from({ length: made.plan.copies }, () => sendOne(made, index)));
		return made;
	};

	const queue = drafts[Symbol.iterator]();
	const work = async () => {
		for (let next = queue.next(); next.done !== true; next = queue.next()) {
			const sent = sendCase(next.value);
			done.set(next.value.index, sent);
			done.delete(next.value.index - remembered);
			await sent;
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return entries;
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
