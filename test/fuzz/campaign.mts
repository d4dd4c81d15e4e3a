import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Deployment } from '../../bench/deployment/deployment.mts';
import { createReader, textOf } from '../../bench/deployment/executions.mts';
import type { Target } from '../../bench/support/target.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { messageOf } from '../../sandbox/shared/failure.mts';
import { answerOf, outcomeOf, type Outcome } from '../support/answers.mts';
import { sign, signed } from '../support/delivery.mts';
import { send } from '../support/send.mts';
import { triggerName } from '../support/workflows.mts';
import { draw, makeCase, type Case, type Draft } from './cases.mts';
import type { World } from './letters.mts';
import type { Notification } from './reference.mts';
import { describeFault } from './report.mts';
import { assess, miscounted, passageOf, type Entry, type Fault } from './verdict.mts';
import { deliver } from './wire.mts';

/** Deliveries under way at once; any more would only wait inside n8n. */
const atOnce = 8;
/** How many cases are kept: more than any duplicate goes back. */
const remembered = 1_000;

export interface Campaign {
	seed: number;
	world: World;
	deployment: Deployment;
	/** The only workflow: it has our trigger and nothing else. */
	target: Target;
}

/** Sends the cases in order, a limited number at once. */
export async function sendAll(
	{ target, world }: Campaign,
	drafts: Iterable<Draft>,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	const done = new Map<number, Promise<Case>>();

	const sendOne = async (made: Case, index: number) => {
		const sentAt = Date.now();
		const answer = await deliver(target.url, made.request).catch((error: unknown) => {
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

/** Also matches those that begin inside a longer run of digits. */
const likeSignatures = /(?=([0-9a-f]{64}))/g;

/** Searches texts for secrets, and for signatures that would verify a delivery. */
function searchFor({ secret: current, previous }: World) {
	const secrets = [current, ...previous];
	const candidates = new Set<string>();
	let hasSecret = false;

	/** The valid signatures of a delivery as it was sent, and as n8n passes it on. */
	const verifying = ({ made: { letter, request } }: Entry) => {
		const { arrived } = passageOf(request);
		const [timestamp = letter.timestamp] = arrived?.values('x-svc-timestamp') ?? [];
		return secrets.flatMap((secret) => [
			sign(secret, letter.timestamp, request.body),
			sign(secret, timestamp, arrived?.body ?? request.body),
		]);
	};
	return {
		add(text: string): void {
			hasSecret ||= secrets.some((secret) => text.includes(secret));
			for (const [, digits = ''] of text.matchAll(likeSignatures)) candidates.add(digits);
		},
		hasFound(entries: Entry[]): boolean {
			// Usually there are no candidates, and nothing has to be signed.
			if (hasSecret || candidates.size === 0) return hasSecret;
			return entries.some((entry) => verifying(entry).some((one) => candidates.has(one)));
		},
	};
}

/** What identifies an item, as text. */
const contentOf = ({ event, requestId, shareStatus }: Partial<Notification>) =>
	JSON.stringify([event, requestId, shareStatus ?? null]);

/** Reads what n8n has stored of the workflow's executions, once all have ended. */
async function readStored(
	{ deployment: { rest, url }, target: { workflowId } }: Campaign,
	search: ReturnType<typeof searchFor>,
) {
	const reader = await createReader(rest, url);
	await reader.settle(workflowId, 120_000);
	/** How often each item was emitted. */
	const items = new Map<string, number>();
	let failed = 0;
	for await (const execution of reader.each(workflowId)) {
		const item = contentOf(outputOf(execution, triggerName)[0] ?? {});
		items.set(item, (items.get(item) ?? 0) + 1);
		failed += execution.status === 'success' ? 0 : 1;
		search.add(textOf(execution));
	}
	return { items, failed };
}

/** Contents that were not stored as often as they were accepted. */
function differences(accepted: Entry[], items: Map<string, number>): string[] {
	const expected = Map.groupBy(accepted, ({ notification }) =>
		notification === undefined ? '(not a notification)' : contentOf(notification),
	);
	return [...new Set([...expected.keys(), ...items.keys()])].flatMap((content) => {
		const counts = [expected.get(content)?.length ?? 0, items.get(content) ?? 0] as const;
		return counts[0] === counts[1] ? [] : [`${content}: ${counts.join(' accepted, executions: ')}`];
	});
}

/** The receivers with one fixed response that the rules would fail to notice. */
function blindSpots({ seed, world }: Campaign): string[] {
	const entriesOf = (outcome: Outcome) =>
		Array.from({ length: 300 }, (_, index) => {
			const now = Date.now();
			const made = makeCase(draw(seed, index), world, now);
			const answer = answerOf(outcome);
			return assess({ index, made, sentAt: now, answeredAt: now, answer }, world);
		});
	const has = (outcome: Outcome, fault: Fault) =>
		entriesOf(outcome).some((entry) => entry.fault === fault);
	const noticed: Array<[receiver: string, isNoticed: boolean]> = [
		['accepts everything', has('accepted', 'forgery accepted')],
		['refuses everything', has('unverified', 'genuine refused')],
		['never has a secret', has('notConfigured', 'unexpected answer')],
		['calls everything a duplicate', miscounted(entriesOf('duplicate')).length > 0],
	];
	return noticed.flatMap(([receiver, isNoticed]) =>
		isNoticed ? [] : [`not one that ${receiver}`],
	);
}

/** Checks each rule against all responses, stored data and logs; returns what has broken it. */
export async function check(
	campaign: Campaign,
	entries: Entry[],
): Promise<Record<string, string[]>> {
	const { seed, world, deployment, target } = campaign;
	const { url } = target;
	const describe = (what: string) => (entry: Entry) => describeFault(seed, url, what, entry);
	const withFault = (fault: Fault) =>
		entries.filter((entry) => entry.fault === fault).map(describe(fault));
	const search = searchFor(world);
	const { items, failed } = await readStored(campaign, search);
	const accepted = entries.filter(({ outcome }) => outcome === 'accepted');
	const last = await send(url, signed({ secret: world.secret })).catch(() => undefined);
	const isAlive = last !== undefined && outcomeOf(last) === 'accepted';
	search.add(readFileSync(path.join(deployment.folder, 'n8n.log'), 'utf8'));

	return {
		'These rules notice a receiver that gives everybody the same answer': blindSpots(campaign),
		'No forgery is accepted': withFault('forgery accepted'),
		'Nothing genuine is refused': withFault('genuine refused'),
		'Every other answer is the constant one that was due': withFault('unexpected answer'),
		'A notification is accepted once and is a duplicate from then on': miscounted(entries).map(
			describe('not exactly once'),
		),
		[`Each of the ${accepted.length} accepted has its execution, with its item`]: differences(
			accepted,
			items,
		),
		'Every execution has succeeded': failed === 0 ? [] : [`${failed} have not`],
		'No secret and no expected signature in executions and log': search.hasFound(entries)
			? ['there is one']
			: [],
		'n8n is alive and takes the next good delivery': isAlive ? [] : ['it does not'],
	};
}
