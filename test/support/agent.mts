import { randomUUID } from 'node:crypto';
import { actionType } from '../../sandbox/n8n/examples.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential, Execution, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { finished } from './executions.mts';
import type { Model } from './model.mts';
import { actionNode, chain, manualName, manualNode } from './workflows.mts';

export const agentName = 'AI Agent';
const modelName = 'OpenAI Chat Model';

/** Our action node as a tool of an agent. */
export function toolNode(name: string, credential: Credential, parameters: Json): WorkflowNode {
	return { ...actionNode(name, credential, parameters), type: `${actionType}Tool` };
}

function aiNode(name: string, type: string, typeVersion: number, parameters: Json): WorkflowNode {
	const known = { id: randomUUID(), name, typeVersion, position: [0, 0], parameters };
	return { ...known, type: `@n8n/n8n-nodes-langchain.${type}` };
}

interface AgentRun {
	rest: N8nRest;
	name: string;
	model: Model;
	tools: WorkflowNode[];
	prompt: string;
	/** Of the node AI Agent; from version 3 on n8n runs its tools, before that it does so itself. */
	agentVersion?: number;
}

/** Starts n8n's AI Agent with the model and the tools; answers the execution's ID. */
export async function startAgent(run: AgentRun): Promise<string> {
	const { rest, name, model, tools, prompt, agentVersion = 3.1 } = run;
	const fields = { apiKey: 'a-key-of-the-stand-in', url: model.url };
	const { id, name: keyName } = await rest.createCredential(name, 'openAiApi', fields);
	const chat = aiNode(modelName, 'lmChatOpenAi', 1.3, {
		model: { __rl: true, mode: 'id', value: 'stand-in' },
		responsesApiEnabled: false,
		options: {},
	});
	const agent = aiNode(agentName, 'agent', agentVersion, {
		promptType: 'define',
		text: prompt,
		options: { enableStreaming: false },
	});
	const workflow = chain(name, [manualNode(), agent]);
	const into = (type: string) => ({ [type]: [[{ node: agentName, type, index: 0 }]] });
	const links = tools.map((tool) => [tool.name, into('ai_tool')]);
	const made = await rest.createWorkflow({
		...workflow,
		nodes: [
			...workflow.nodes,
			{ ...chat, credentials: { openAiApi: { id, name: keyName } } },
			...tools,
		],
		connections: {
			...workflow.connections,
			[modelName]: into('ai_languageModel'),
			...(Object.fromEntries(links) as Json),
		},
	});
	return await rest.runManually(made.id, manualName);
}

/** The same; answers the execution once it has ended. */
export async function runAgent(run: AgentRun): Promise<Execution> {
	return await finished(run.rest, await startAgent(run));
}
