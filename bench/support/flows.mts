import { randomUUID } from 'node:crypto';
import { triggerType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { Credential, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import type { BenchN8n } from './n8n.mts';
import { chain, node, triggerNode, webhookNode } from './nodes.mts';

/** The last node of each flow; it runs only for notifications taken as genuine. */
export const lastNode = 'Go On';

/** A published workflow that receives notifications. */
export interface Flow {
	title: string;
	workflowId: string;
	/** Production URL. */
	url: string;
	/** The status with which it refuses forged ones; undefined if they start executions. */
	refusal: number | undefined;
	/** Whether it keeps forged ones from the last node. */
	checks: boolean;
}

const condition = (leftValue: string, rightValue: unknown, type: string, operation: string) => ({
	id: randomUUID(),
	leftValue,
	rightValue,
	operator: { type, operation },
});

/** n8n's If node, which passes on what meets all conditions. */
function ifAll(name: string, conditions: Json[]): WorkflowNode {
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const all = { combinator: 'and', options, conditions };
	return node(name, 'if', 2.2, { conditions: all, options: {} });
}

/** What people build from n8n's own nodes without code. */
function checkedByNodes({ id, name }: Credential): WorkflowNode[] {
	const signature = "={{ $json.headers['x-svc-signature'] ?? '' }}";
	const age = "={{ Math.abs(Date.now() - Number($json.headers['x-svc-timestamp'] ?? '')) }}";
	return [
		node('Read the Body', 'extractFromFile', 1, {
			operation: 'text',
			binaryPropertyName: 'data',
			destinationKey: 'text',
			options: { keepSource: 'json' },
		}),
		{
			...node('Compute', 'crypto', 2, {
				action: 'hmac',
				type: 'SHA256',
				value: "={{ $json.headers['x-svc-timestamp'] }}.{{ $json.text }}",
				dataPropertyName: 'expected',
				encoding: 'hex',
			}),
			credentials: { crypto: { id, name } },
		},
		ifAll('Compare', [
			condition('={{ $json.expected }}', signature, 'string', 'equals'),
			condition(age, 300_000, 'number', 'lte'),
		]),
	];
}

/** The same with n8n's Code node. */
function checkedByCode(secret: string): WorkflowNode {
	const jsCode = `const { createHmac } = require('crypto');
const { headers } = $input.first().json;
const body = await this.helpers.getBinaryDataBuffer(0, 'data');
const time = headers['x-svc-timestamp'] ?? '';
const expected = createHmac('sha256', '${secret}').update(time + '.').update(body).digest('hex');
const isRecent = Math.abs(Date.now() - Number(time)) <= 300000;
return isRecent && expected === headers['x-svc-signature'] ? $input.all() : [];`;
	return node('Check', 'code', 2, { jsCode });
}

/** The titles of the package's flow and those it is held against. */
export const titles = {
	trigger: 'Data Collection Trigger',
	unchecked: 'Webhook, unchecked',
	code: 'Webhook, Code',
};

/** Publishes the flows to compare; all of them respond before the workflow runs. */
export async function publishFlows(
	{ rest, url, credential }: BenchN8n,
	secret: string,
): Promise<Flow[]> {
	const ours = await credential('http://127.0.0.1:9', secret);
	const hmac = await rest.createCredential('bench', 'crypto', { hmacSecret: secret });
	const raw = () => webhookNode({ rawBody: true });
	const create = async (title: string, start: WorkflowNode, checks: WorkflowNode[]) => {
		const nodes = [start, ...checks, node(lastNode, 'noOp', 1)];
		const workflow = await publish(rest, await rest.createWorkflow(chain(title, nodes)));
		const isOurs = start.type === triggerType;
		return {
			title,
			workflowId: workflow.id,
			url: isOurs ? triggerUrl(url, workflow) : `${url}/webhook/${String(start.parameters.path)}`,
			refusal: isOurs ? 401 : undefined,
			checks: isOurs || checks.length > 0,
		};
	};
	return [
		await create(titles.trigger, triggerNode(ours), []),
		await create(titles.unchecked, webhookNode(), []),
		await create('Webhook, Crypto, If', raw(), checkedByNodes(hmac)),
		await create(titles.code, raw(), [checkedByCode(secret)]),
	];
}
