import type {
	IDataObject,
	INodeExecutionData,
	ISourceData,
	ITaskDataConnectionsSource,
} from 'n8n-workflow';

import type { ItemResult, Run } from '../../operation';
import type { Awaited } from './awaited';
import { jsonOf, lastRunOf, linkedItem, ofEachInput, outputOf, requestIdOf } from './runData';

/**
 * What n8n links the items of Done and Timed Out with when the wait ends: the i-th item with the i-th
 * item of the source. As n8n leaves it, that would be another person's data. So this takes a run of a
 * node whose items stand for the awaited collection requests one by one, or none: `$('…').item` then
 * fails. `isWhole` says whether all of them come out of Done.
 */
export async function sourceOf(
	run: Run,
	awaited: Awaited,
	isWhole: boolean,
): Promise<ITaskDataConnectionsSource> {
	const source = await fitting(run, awaited);
	return { main: [isWhole ? source : null, source] };
}

/**
 * Links items of a wait that ends at once: each with the first input item that stands for it, or else
 * as if it had waited.
 */
export async function linked(
	run: Run,
	awaited: Awaited,
	items: IDataObject[],
): Promise<ItemResult[]> {
	const { requestIds, standsFor } = awaited;
	const hasOwn = requestIds.every((id) => standsFor.includes(id));
	const source = hasOwn ? null : await fitting(run, awaited);
	return items.map((value) => {
		const id = String(value.requestId);
		const itemIndex = standsFor.indexOf(id);
		if (itemIndex >= 0) return { ok: true, value, itemIndex };
		return source
			? { ok: true, value, itemIndex: requestIds.indexOf(id), source }
			: { ok: true, value };
	});
}

/** The node's own input, or else its last round, or else the nearest earlier node that fits. */
async function fitting(run: Run, { requestIds, standsFor }: Awaited): Promise<ISourceData | null> {
	const { context } = run;
	const fits = (ids: Array<string | undefined>) => requestIds.every((id, i) => ids[i] === id);
	if (fits(standsFor)) return context.getExecuteData().source?.main?.[0] ?? null;

	const { name: own, type } = context.getNode();
	const runData = context.getWorkflowDataProxy(0);
	const earlier = context.getParentNodes(own).filter((node) => node.name !== own && !node.disabled);
	for (const node of [{ name: own, type }, ...earlier.reverse()]) {
		const previousNodeRun = lastRunOf(runData, node.name);
		for (const previousNodeOutput of previousNodeRun < 0 ? [] : [1, 0]) {
			const items = outputOf(runData, node.name, previousNodeOutput, previousNodeRun);
			if (items.length < requestIds.length) continue;
			const isOurs = node.type === type;
			const idOf = isOurs ? requestIdOf : await idByLinks(run, node.name, standsFor);
			if (fits(items.map(idOf))) {
				return { previousNode: node.name, previousNodeOutput, previousNodeRun };
			}
		}
	}
	return null;
}

/** Which collection request another node's item stands for: that of all input items linked to it. */
async function idByLinks(run: Run, name: string, standsFor: Array<string | undefined>) {
	const linked = await ofEachInput(run, (runData) => linkedItem(runData, name));
	const ids = new Map<object, string | undefined>();
	linked.forEach((item, itemIndex) => {
		if (item === undefined) return;
		const id = standsFor[itemIndex];
		const fields = jsonOf(item);
		ids.set(fields, ids.has(fields) && ids.get(fields) !== id ? undefined : id);
	});
	return (item: INodeExecutionData) => ids.get(jsonOf(item));
}
