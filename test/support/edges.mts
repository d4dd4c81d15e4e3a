/** A connection between two nodes, and the numbers of the output and the input that it joins. */
type Connection = { node: string; type: 'main'; index: number };

/**
 * Connections from node to node in n8n's form: `A -> B -> C` from the first output of each, `A/1 -> B`
 * from the second output of A, `A -> 1/B` to the second input of B.
 */
export function connectionsOf(edges: string[]): Record<string, { main: Connection[][] }> {
	const connections: Record<string, { main: Connection[][] }> = {};
	for (const steps of edges.map(stepsOf)) {
		for (const [at, { node, input }] of steps.slice(1).entries()) {
			const { node: from = '', output = 0 } = steps[at] ?? {};
			const { main } = (connections[from] ??= { main: [] });
			while (main.length <= output) main.push([]);
			main[output]?.push({ node, type: 'main', index: input });
		}
	}
	return connections;
}

/** The nodes of an edge, each with the input and the output by which the edge passes through it. */
export const stepsOf = (edge: string) =>
	edge.split(' -> ').map((step) => {
		const [, input = '0', node = '', output = '0'] =
			/^(?:(\d+)\/)?([^/]*)(?:\/(\d+))?$/.exec(step) ?? [];
		return { node, input: Number(input), output: Number(output) };
	});
