import { outputOf, type Execution, type Json, type Workflow } from '../n8n/types.mts';
import { Failure } from './failure.mts';

/** The name of the workflow's first node of a type; a Failure when it has none. */
export function nodeOf(workflow: Workflow, type: string): string {
	const node = workflow.nodes.find((candidate) => candidate.type === type);
	if (node === undefined) throw new Failure(`"${workflow.name}" has no node of type ${type}.`);
	return node.name;
}

/** The only item that the node of this type put out; a Failure for none or several. */
export function onlyItem(execution: Execution, workflow: Workflow, type: string): Json {
	const name = nodeOf(workflow, type);
	const items = outputOf(execution, name);
	if (items.length === 1 && items[0] !== undefined) return items[0];
	throw new Failure(`Expected one item of "${name}", but it put out ${items.length}.`);
}

/** A field that has to hold text; a Failure that lists the item's fields otherwise. */
export function textField(item: Json, field: string): string {
	const value = item[field];
	if (typeof value === 'string' && value !== '') return value;
	throw new Failure(
		`Expected text in "${field}", but the item has: ${Object.keys(item).join(', ')}.`,
	);
}

/** A Failure that shows both values when they differ. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
	if (actual === expected) return;
	throw new Failure(`Expected ${what} ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`);
}

/** A Failure that names, and does not show, every secret that occurs in the executions. */
export function expectNoSecret(executions: Execution[], secrets: Record<string, string>): void {
	const stored = JSON.stringify(executions);
	const found = Object.keys(secrets).filter((name) => stored.includes(secrets[name] ?? ''));
	if (found.length > 0) throw new Failure(`n8n stored the credential's ${found.join(', ')}.`);
}
