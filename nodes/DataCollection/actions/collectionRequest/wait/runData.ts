import type { IDataObject, INodeExecutionData, IWorkflowDataProxyData } from 'n8n-workflow';

import { isObject } from '../../../parameters';
import type { Run } from '../../operation';

/** The run data of this execution, as the expressions of an input item see it. */
export type RunData = IWorkflowDataProxyData;

/** The number of a node's last run, from 0; -1 if it has not run. */
export const lastRunOf = (runData: RunData, name: string): number =>
	(runData.$node as Record<string, { runIndex: number }>)[name]?.runIndex ?? -1;

/** Whether a node has run, or has pinned items. */
export const hasRun = (runData: RunData) => (name: string) =>
	lastRunOf(runData, name) >= 0 || outputOf(runData, name, 0, 0).length > 0;

/** What a node has put out in a run. Empty where n8n has nothing. */
export function outputOf(
	runData: RunData,
	name: string,
	output: number,
	run: number,
): INodeExecutionData[] {
	try {
		return (runData.$(name).all(output, run) as INodeExecutionData[] | undefined) ?? [];
	} catch {
		return [];
	}
}

/** The same for each run so far. A node that never ran may have pinned items, which are those of run 0. */
export const outputsOf = (runData: RunData, name: string, output: number) =>
	Array.from({ length: Math.max(0, lastRunOf(runData, name)) + 1 }, (_, run) =>
		outputOf(runData, name, output, run),
	);

/** The item of an earlier node with which an input item is linked, if there is exactly one. */
export function linkedItem(runData: RunData, name: string): INodeExecutionData | undefined {
	try {
		return runData.$(name).item as INodeExecutionData;
	} catch {
		return undefined;
	}
}

/**
 * Finds out something about each input item, with the run data as its expressions see it. Yields to
 * the event loop now and then: following the links of thousands of items takes a while.
 */
export async function ofEachInput<T>(
	{ context, clock }: Pick<Run, 'context' | 'clock'>,
	find: (runData: RunData, itemIndex: number) => T,
): Promise<T[]> {
	const found: T[] = [];
	for (const itemIndex of context.getInputData().keys()) {
		found.push(find(context.getWorkflowDataProxy(itemIndex), itemIndex));
		if (itemIndex % 100 === 99) await clock.sleep(0);
	}
	return found;
}

/** The fields of an item. In workflows of Execution Logic v2, n8n gives them in place of the item. */
export const jsonOf = (item: INodeExecutionData): IDataObject =>
	isObject(item.json) ? item.json : (item as unknown as IDataObject);

/** The request ID of an item that a node of our type has put out; undefined for an error. */
export const requestIdOf = (item: INodeExecutionData | undefined): string | undefined => {
	const id = item && jsonOf(item).requestId;
	return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The request IDs of items, each once. */
export const requestIdsOf = (items: INodeExecutionData[]): string[] => [
	...new Set(items.map(requestIdOf).filter((id) => id !== undefined)),
];
