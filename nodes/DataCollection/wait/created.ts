import { upstreamCreates } from '../n8n/graph';
import { outputsOf } from '../n8n/earlierItems';
import type { Run } from '../operation/operation';
import { requestIdsOf, type MappedIds } from './pairing';

/** In n8n's context of the flow, which all nodes of an execution share. */
const KEY = 'dataCollectionCreates';

/** A run of a Create node in this execution. */
interface CreateRun {
	name: string;
	runIndex: number;
}

/** The runs of Create nodes so far, as they came. n8n's graph does not say which branch ran first. */
const notesOf = ({ context }: Run) => (context.getContext('flow')[KEY] ??= []) as CreateRun[];

const isSame = (one?: CreateRun, other?: CreateRun) =>
	one?.name === other?.name && one?.runIndex === other?.runIndex;

/** Notes that this Create runs now. All tries of Retry On Fail are one run. */
export function noteCreateRun(run: Run): void {
	const runIndex = Number(run.context.getWorkflowDataProxy(0).$runIndex);
	const own = { name: run.context.getNode().name, runIndex };
	const notes = notesOf(run);
	if (!isSame(notes[notes.length - 1], own)) notes.push(own);
}

/** The runs of the Create nodes before this one that have created something, and what. */
export const createdRuns = (run: Run) =>
	upstreamCreates(run)
		.flatMap(({ name }) =>
			outputsOf(run, name, 0).map((items, runIndex) => ({
				name,
				runIndex,
				requestIds: requestIdsOf(items),
			})),
		)
		.filter(({ requestIds }) => requestIds.length > 0);

/**
 * What these runs have created, in the order of creation. Step by step in the editor, they ran in
 * other executions, of which nothing is noted: then in the order of the input items.
 */
export function inOrderOfCreation(
	run: Run,
	runs: ReturnType<typeof createdRuns>,
	mappedIds: MappedIds,
): string[] {
	const notes = notesOf(run);
	const isNoted = notes.length > 0;
	const placed = runs.map((one) => ({
		place: isNoted
			? notes.findIndex((note) => isSame(note, one))
			: mappedIds.findIndex((id) => id !== undefined && one.requestIds.includes(id)),
		requestIds: one.requestIds,
	}));
	placed.sort((one, other) => one.place - other.place);
	return [...new Set(placed.flatMap(({ requestIds }) => requestIds))];
}
