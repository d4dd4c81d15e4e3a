import type { WorkflowNode } from '../../sandbox/n8n/types.mts';
import type { BenchN8n } from './n8n.mts';
import { chain, node } from './nodes.mts';

const startName = 'Start';

/**
 * Runs a node for so many items with these fields, which are JavaScript that knows `i` and `size`;
 * resolves to its output, and the milliseconds that it took, as n8n measures it.
 */
export async function runNode(
	{ rest, executions }: BenchN8n,
	measured: WorkflowNode,
	size: number,
	fields: string,
) {
	const jsCode = `const size = ${size}; return Array.from({ length: size }, (_, i) => ({ json: { ${fields} } }));`;
	const { id } = await rest.createWorkflow(
		chain('bench', [
			node(startName, 'manualTrigger', 1),
			node('Items', 'code', 2, { jsCode }),
			measured,
		]),
	);
	const executionId = await rest.runManually(id, startName);
	await executions.succeeded(id, 1);
	const { data } = await rest.getExecution(executionId);
	const [run] = data.resultData.runData[measured.name] ?? [];
	return { output: run?.data?.main?.[0] ?? [], time: Number(run?.executionTime) };
}
