import type { IDataObject, INodeExecutionData, ISourceData } from 'n8n-workflow';

import { jsonOf, type Past } from '../n8n/earlierItems';
import { nodesBefore, upstreamNodes } from '../n8n/graph';
import type { ItemResult } from '../n8n/items';
import type { Run } from '../requests/run';

/** Each once, in the order of the items. */
export const requestIdsOf = (items: INodeExecutionData[]): string[] => [
	...new Set(items.map(requestIdOf).filter((id) => id !== undefined)),
];

/** Undefined for an error. */
const requestIdOf = (item?: INodeExecutionData): string | undefined => {
	const id = jsonOf(item)?.requestId;
	return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The request ID that each input item stands for. */
export type MappedIds = Array<string | undefined>;

/** An item without a request ID stands for that of the nearest node of this package before it. */
async function mappedIdsOf(run: Run, past: Past): Promise<MappedIds> {
	const mappedIds = run.context.getInputData().map(requestIdOf);
	for (const { name } of upstreamNodes(run.context).reverse()) {
		if (!mappedIds.includes(undefined)) break;
		const linked = await past.linkedItems(name);
		linked.forEach((item, itemIndex) => (mappedIds[itemIndex] ??= requestIdOf(item)));
	}
	return mappedIds;
}

/** The run of a node with whose items those of a wait are linked: the i-th with the i-th. */
export interface Pairing {
	requestIds: string[];
	source?: ISourceData;
	mappedIds: MappedIds;
}

/**
 * Finds a run whose items correspond 1:1 to the collection requests, because n8n pairs by position after
 * a wait. If none is in order, adopts the order of the nearest. Without any, `$('…').item` fails.
 */
export async function pairingOf(
	run: Run,
	past: Past,
	requestIds: string[],
	named?: MappedIds,
): Promise<Pairing> {
	const mappedIds = named ?? (await mappedIdsOf(run, past));
	const count = requestIds.length;
	const awaited = new Set<string | undefined>(requestIds);
	let nearest: Pairing | undefined;
	for await (const { source, ids } of sourcesOf(run, past, count, mappedIds)) {
		const first = ids.slice(0, count);
		const isEach = new Set(first.filter((id) => awaited.has(id))).size === count;
		if (!isEach || ids.slice(count).some((id) => awaited.has(id))) continue;
		const pairing = { requestIds: first as string[], source, mappedIds };
		if (requestIds.every((id, index) => first[index] === id)) return pairing;
		nearest ??= pairing;
	}
	return nearest ?? { requestIds, mappedIds };
}

/** The runs that items could be linked with, nearest first, with the request IDs of their items. */
async function* sourcesOf(run: Run, past: Past, count: number, mappedIds: MappedIds) {
	yield { source: past.inputSource(), ids: mappedIds };
	const own = run.context.getNode();
	for (const { name, type } of [own, ...nodesBefore(run.context)]) {
		const runs = past.lastOutputs(name).filter(({ items }) => items.length >= count);
		if (runs.length === 0) continue;
		const idOf = type === own.type ? requestIdOf : await idByLinks(past, name, mappedIds);
		yield* runs.map(({ source, items }) => ({ source, ids: items.map(idOf) }));
	}
}

/** An item of another node stands for the request ID of all input items that are linked to it. */
async function idByLinks(past: Past, name: string, mappedIds: MappedIds) {
	const ids = new Map<unknown, string | undefined>();
	const linked = await past.linkedItems(name);
	for (const [itemIndex, id] of mappedIds.entries()) {
		const fields = jsonOf(linked[itemIndex]);
		ids.set(fields, ids.has(fields) && ids.get(fields) !== id ? undefined : id);
	}
	return (item: INodeExecutionData) => ids.get(jsonOf(item));
}

/** If several stand for the same request ID, no link: it would be the first person's data. */
export function pairedResults(
	items: IDataObject[],
	ids: MappedIds,
	source?: ISourceData,
): ItemResult[] {
	const indexes = new Map<string | undefined, number | undefined>();
	for (const [index, id] of ids.entries()) indexes.set(id, indexes.has(id) ? undefined : index);
	return items.map((value) => {
		const itemIndex = indexes.get(String(value.requestId));
		return { ok: true, value, source, itemIndex };
	});
}
