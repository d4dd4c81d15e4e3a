import { Readable } from 'node:stream';
import { messageOf } from '../../../sandbox/shared/failure.mts';
import { makeCase, type Case, type Draft } from './cases.mts';
import { assess, type Entry } from './ledger.mts';
import type { World } from './letters.mts';
import { deliver } from './request.mts';

/** Deliveries under way at once; more only wait inside n8n. */
const atOnce = 8;
/** Cases further back than any repetition reaches. */
const remembered = 1_000;

export interface Campaign {
	seed: number;
	/** Production URL of the trigger. */
	url: string;
	world: World;
}

/** Sends the cases in order, a bounded number at once. */
export async function send({ url, world }: Campaign, drafts: Iterable<Draft>): Promise<Entry[]> {
	const entries: Entry[] = [];
	const done = new Map<number, Promise<Case>>();

	const sendOne = async (made: Case, index: number) => {
		const sentAt = Date.now();
		const answer = await deliver(url, made.request).catch((error: unknown) => {
			return { status: 0, contentType: '', text: messageOf(error) };
		});
		entries.push(assess({ index, made, sentAt, answeredAt: Date.now(), answer }, world));
		if (entries.length % 500 === 0) console.log(`  ${entries.length} answered`);
	};
	const sendCase = async (draft: Draft): Promise<Case> => {
		const { index, original } = draft;
		const earlier = original === undefined ? undefined : await done.get(original);
		const made = makeCase(draft, world, Date.now(), earlier);
		await Promise.all(Array.from({ length: made.plan.copies }, () => sendOne(made, index)));
		return made;
	};

	const begin = async (draft: Draft) => {
		const sent = sendCase(draft);
		done.set(draft.index, sent);
		done.delete(draft.index - remembered);
		await sent;
	};
	await Readable.from(drafts).forEach(begin, { concurrency: atOnce });
	return entries;
}
