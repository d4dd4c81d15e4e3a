import { actionType } from '../../sandbox/n8n/examples.mts';
import type { Credential, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { openModel, type Turn } from './model.mts';
import { runWorkflow } from './executions.mts';
import { actionNode, chain, manualNode, node, to } from './workflows.mts';

export const agentName = 'AI Agent';
const modelName = 'OpenAI Chat Model';

/** Our action node as a tool of an agent. */
export function toolNode(name: string, credential: Credential, parameters: Json): WorkflowNode {
	return { ...actionNode(name, credential, parameters), type: `${actionType}Tool` };
}

interface AgentRun {
	name: string;
	/** The model's turns, in order. */
	turns: Turn[];
	tools: WorkflowNode[];
	/** The agent's version: from 3 on, n8n runs its tools; before, the agent ran them itself. */
	version?: number;
}

/** Runs the agent with a scripted model until it succeeds; also returns the calls to the model. */
export async function runAgent({ name, turns, tools, version = 3.1 }: AgentRun) {
	const { calls, credentials } = await openModel(name, turns);
	const chat = node(modelName, '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.3, {
		model: { __rl: true, mode: 'id', value: 'stand-in' },
		responsesApiEnabled: false,
		options: {},
	});
	const agent = node(agentName, '@n8n/n8n-nodes-langchain.agent', version, {
		promptType: 'define',
		text: 'Collect the addresses',
		options: { enableStreaming: false },
	});
	const workflow = chain(name, [manualNode(), agent]);
	const into = (type: string) => ({ [type]: [to(agentName, type)] });
	const links = tools.map((tool) => [tool.name, into('ai_tool')]);
	const execution = await runWorkflow({
		...workflow,
		nodes: [...workflow.nodes, { ...chat, credentials }, ...tools],
		connections: {
			...workflow.connections,
			[modelName]: into('ai_languageModel'),
			...(Object.fromEntries(links) as Json),
		},
	});
	return { execution, calls };
}
