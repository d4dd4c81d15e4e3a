import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../sandbox/shared/paths.mts';
import { outcomeOf } from '../support/answers.mts';
import type { Case } from './cases.mts';
import type { Entry } from './verdict.mts';
import { bytesOf } from './wire.mts';

const folder = path.join(root, 'test', 'artefacts', 'fuzz');

const isByHost = ({ answer, outcome, allowed }: Entry) =>
	outcome !== undefined && allowed.includes(outcome) && (!answer || !outcomeOf(answer));

const counted: Record<string, (entry: Entry) => boolean> = {
	Deliveries: () => true,
	Accepted: ({ outcome }) => outcome === 'accepted',
	Duplicates: ({ outcome }) => outcome === 'duplicate',
	'Filtered out': ({ outcome }) => outcome === 'filtered',
	Refused: ({ outcome = '' }) => ['unverified', 'malformed', 'tooLarge'].includes(outcome),
	'Answered by n8n': isByHost,
	'Forgeries accepted': ({ fault }) => fault === 'forgery accepted',
	'Genuine refused': ({ fault }) => fault === 'genuine refused',
};

const count = (entries: Entry[]) =>
	Object.fromEntries(
		Object.entries(counted).map(([title, counts]) => [title, entries.filter(counts).length]),
	);

/** The counts for each kind of case, and for all. */
export function figuresOf(entries: Entry[]) {
	const kinds = [...Map.groupBy(entries, ({ made }) => made.plan.kind)];
	kinds.sort(([one], [other]) => one.localeCompare(other));
	return Object.fromEntries(
		[...kinds, ['All', entries] as const].map(([kind, some]) => [kind, count(some)]),
	);
}

function save(name: string, content: string | Buffer): string {
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, name);
	writeFileSync(file, content, { mode: 0o600 });
	return path.relative(root, file);
}

/** Writes the figures as JSON; returns the file's path. */
export const saveFigures = (figures: object) =>
	save('report.json', `${JSON.stringify(figures, null, '\t')}\n`);

function shown({ plan: { kind, mutations, copies, back } }: Case): string {
	const titles = mutations.map(({ title }) => title).join('; ');
	const more = `${copies > 1 ? `, ${copies} at once` : ''}${back > 0 ? `, again after ${back}` : ''}`;
	return `${kind}${titles === '' ? '' : `: ${titles}`}${more}`;
}

/** Saves the request of a faulty case, and describes how to send it again. */
export function describeFault(seed: number, url: string, what: string, entry: Entry): string {
	const { index, made, answer, allowed, answeredAt, sentAt } = entry;
	const place = save(`${seed}-${index}.http`, bytesOf(url, made.request));
	return [
		`${what}: ${shown(made)}`,
		`  allowed ${allowed.join(', ')}; answered ${answer?.status ?? 'nothing'} ${answer?.text ?? ''} after ${answeredAt - sentAt} ms`,
		`  its bytes are in ${place}; again: npm run test:fuzz -- --only ${seed}:${index}`,
	].join('\n');
}
