import { randomUUID } from 'node:crypto';
import type { Credential, WorkflowNode } from '../../../sandbox/n8n/types.mts';

/** What docs/scaling.md recommends to tell notifications apart by. */
export const keyExpression = "$json.requestId + ' ' + $json.shareStatus";

function node(name: string, type: string, typeVersion: number): WorkflowNode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters: {} };
}

/** n8n's Postgres node with a query that takes the key; nothing runs after it without a row. */
export function postgresNode(name: string, credential: Credential, query: string): WorkflowNode {
	return {
		...node(name, 'n8n-nodes-base.postgres', 2.6),
		parameters: {
			operation: 'executeQuery',
			query,
			options: { queryReplacement: `={{ [${keyExpression}] }}` },
		},
		credentials: { postgres: { id: credential.id, name: credential.name } },
	};
}

/** n8n's Remove Duplicates node, which looks at previous executions. */
export function removeDuplicatesNode(name: string): WorkflowNode {
	return {
		...node(name, 'n8n-nodes-base.removeDuplicates', 2),
		parameters: {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsWithAlreadySeenKeyValues',
			dedupeValue: `={{ ${keyExpression} }}`,
			options: {},
		},
	};
}
