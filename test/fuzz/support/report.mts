import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../sandbox/shared/paths.mts';
import type { Entry } from './ledger.mts';
import type { Case } from './cases.mts';
import { bytesOf } from './wire.mts';

const folder = path.join(root, 'test', 'artefacts', 'fuzz');

const columns: Array<[title: string, counts: (entry: Entry) => boolean]> = [
	['Deliveries', () => true],
	['Accepted', ({ outcome }) => outcome === 'accepted'],
	['Duplicates', ({ outcome }) => outcome === 'duplicate'],
	['Filtered out', ({ outcome }) => outcome === 'filtered'],
	['Refused', ({ outcome }) => ['unverified', 'malformed', 'tooLarge'].includes(outcome ?? '')],
	['Answered by n8n', ({ outcome, allowed }) => isByHost(outcome, allowed)],
	['Forgeries accepted', ({ fault }) => fault === 'forgery accepted'],
	['Genuine refused', ({ fault }) => fault === 'genuine refused'],
];

const ours = [
	'accepted',
	'duplicate',
	'filtered',
	'unverified',
	'malformed',
	'tooLarge',
	'notConfigured',
];

function isByHost(outcome: Entry['outcome'], allowed: Entry['allowed']): boolean {
	return outcome !== undefined && allowed.includes(outcome) && !ours.includes(outcome);
}

type Row = [kind: string, ...figures: number[]];

function rowOf(kind: string, entries: Entry[]): Row {
	return [kind, ...columns.map(([, counts]) => entries.filter(counts).length)];
}

/** A row for each kind of case and one for all. */
export function rowsOf(entries: Entry[]): Row[] {
	const kinds = [...Map.groupBy(entries, ({ made }) => made.plan.kind)];
	kinds.sort(([one], [other]) => one.localeCompare(other));
	return [...kinds.map(([kind, some]) => rowOf(kind, some)), rowOf('All', entries)];
}

export function markdown(rows: Row[]): string {
	const head = ['Mutation', ...columns.map(([title]) => title)];
	const line = ['---', ...columns.map(() => '---:')];
	const figures = rows.map(([kind, ...counts]) => [
		kind,
		...counts.map((count) => count.toLocaleString('en')),
	]);
	return [head, line, ...figures].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Writes the figures as JSON; answers the file's place. */
export function saveFigures(figures: object): string {
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, 'report.json');
	writeFileSync(file, `${JSON.stringify(figures, null, '\t')}\n`);
	return path.relative(root, file);
}

const shown = ({ plan: { kind, mutations, copies, back } }: Case) => {
	const titles = mutations.map(({ title }) => title).join('; ');
	const more = `${copies > 1 ? `, ${copies} at once` : ''}${back > 0 ? `, again after ${back}` : ''}`;
	return `${kind}${titles === '' ? '' : `: ${titles}`}${more}`;
};

/** Saves the request of a case that went wrong, and says how it is sent again. */
export function describeFault(seed: number, url: string, what: string, entry: Entry): string {
	const { index, made, answer, allowed, answeredAt, sentAt } = entry;
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, `${seed}-${index}.http`);
	writeFileSync(file, bytesOf(url, made.request), { mode: 0o600 });
	return [
		`${what}: ${shown(made)}`,
		`  allowed ${allowed.join(', ')}; answered ${answer?.status ?? 'nothing'} ${answer?.text ?? ''} after ${answeredAt - sentAt} ms`,
		`  its bytes are in ${path.relative(root, file)}; again: npm run test:fuzz -- --only ${seed}:${index}`,
	].join('\n');
}
