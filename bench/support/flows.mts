import { randomUUID } from 'node:crypto';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { actionNode, chain, node, triggerNode } from '../../test/support/workflows.mts';

/** Ends each flow; it ran for what was taken for genuine. */
export const lastNode = 'Go On';

/** A way to receive notifications in n8n. */
export interface Flow {
	title: string;
	workflowId: string;
	/** Production URL. */
	url: string;
	/** The status with which it refuses forged deliveries; undefined when those start executions. */
	refusal: number | undefined;
	/** Whether forged deliveries do not get to the last node. */
	checks: boolean;
	/** Title of the package's flow that goes on in the same way. */
	beside: string;
}

/** The header by which n8n's Webhook node knows a sender, when it asks for a key. */
export const keyHeader = 'X-Bench-Key';

const goOn = () => node(lastNode, 'n8n-nodes-base.noOp', 1, {});

function webhook(path: string, options: Json = {}, typeVersion = 2): WorkflowNode {
	const parameters = { httpMethod: 'POST', path, options };
	return { ...node('Webhook', 'n8n-nodes-base.webhook', typeVersion, parameters), webhookId: path };
}

/** n8n's own check of a key, which is no signature: it reads a credential as the package does. */
function withKey(path: string, { id, name }: Credential): WorkflowNode {
	const hook = webhook(path);
	const parameters = { ...hook.parameters, authentication: 'headerAuth' };
	return { ...hook, parameters, credentials: { httpHeaderAuth: { id, name } } };
}

const condition = (leftValue: string, rightValue: unknown, type: string, operation: string) => ({
	...{ id: randomUUID(), leftValue, rightValue, operator: { type, operation } },
});

/** n8n's If node, through which goes what meets all conditions. */
function ifAll(name: string, conditions: Json[]): WorkflowNode {
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	return node(name, 'n8n-nodes-base.if', 2.2, {
		conditions: { combinator: 'and', options, conditions },
		options: {},
	});
}

/** What nearly every workflow goes on with: a condition on what has arrived, an expression. */
const decide = () =>
	ifAll('Decide', [condition('={{ Object.keys($json).length }}', 0, 'number', 'gt')]);

/** What people build with n8n's own nodes and without code. */
function checkedByNodes(path: string, hmac: Credential): WorkflowNode[] {
	const { id, name } = hmac;
	const time = "$json.headers['x-svc-timestamp'] ?? ''";
	return [
		webhook(path, { rawBody: true }),
		node('Read the Body', 'n8n-nodes-base.extractFromFile', 1, {
			operation: 'text',
			binaryPropertyName: 'data',
			destinationKey: 'text',
			options: { keepSource: 'json' },
		}),
		{
			...node('Compute', 'n8n-nodes-base.crypto', 2, {
				action: 'hmac',
				type: 'SHA256',
				value: "={{ $json.headers['x-svc-timestamp'] }}.{{ $json.text }}",
				dataPropertyName: 'expected',
				encoding: 'hex',
			}),
			credentials: { crypto: { id, name } },
		},
		ifAll('Compare', [
			condition(
				'={{ $json.expected }}',
				"={{ $json.headers['x-svc-signature'] ?? '' }}",
				'string',
				'equals',
			),
			condition(`={{ Math.abs(Date.now() - Number(${time})) }}`, 300_000, 'number', 'lte'),
		]),
		goOn(),
	];
}

/** The same with n8n's Code node. */
function checkedByCode(path: string, secret: string): WorkflowNode[] {
	const jsCode = `const { createHmac } = require('crypto');
const { headers } = $input.first().json;
const body = await this.helpers.getBinaryDataBuffer(0, 'data');
const time = headers['x-svc-timestamp'] ?? '';
const expected = createHmac('sha256', '${secret}').update(time + '.').update(body).digest('hex');
const isRecent = Math.abs(Date.now() - Number(time)) <= 300000;
return isRecent && expected === headers['x-svc-signature'] ? $input.all() : [];`;
	const code = node('Check', 'n8n-nodes-base.code', 2, { jsCode });
	return [webhook(path, { rawBody: true }), code, goOn()];
}

/** The package's check behind n8n's Webhook node; what it refuses ends there. */
function checkedByVerify(path: string, credential: Credential): WorkflowNode[] {
	const verify = actionNode('Verify', credential, {
		resource: 'notification',
		operation: 'verify',
	});
	return [webhook(path, { rawBody: true }), { ...verify, onError: 'continueErrorOutput' }, goOn()];
}

const ours = 'Data Collection Trigger';
export const verifyTitle = 'Webhook, Verify';
const oursThenIf = `${ours}, then If`;

/** Publishes the flows that are compared; all of them answer before the workflow has run. */
export async function publishFlows(
	rest: N8nRest,
	n8nUrl: string,
	credential: Credential,
	secret: string,
): Promise<Flow[]> {
	const hmac = await rest.createCredential('bench', 'crypto', { hmacSecret: secret });
	const key = await rest.createCredential('bench', 'httpHeaderAuth', {
		name: keyHeader,
		value: secret,
	});
	const create = async (
		title: string,
		nodes: WorkflowNode[],
		{ refusal, checks = true, beside = ours }: Partial<Flow> = {},
	): Promise<Flow> => {
		const workflow = await publish(rest, await rest.createWorkflow(chain(title, nodes)));
		const own = nodes[0]?.type === 'n8n-nodes-base.webhook';
		const url = own ? `${n8nUrl}/webhook/${nodes[0]?.webhookId}` : triggerUrl(n8nUrl, workflow);
		return { title, workflowId: workflow.id, url, refusal, checks, beside };
	};
	return [
		await create(ours, [triggerNode(credential), goOn()], { refusal: 401 }),
		await create('Webhook, unchecked', [webhook(randomUUID()), goOn()], { checks: false }),
		// n8n takes an isolate for it as for every trigger but the newer versions of this node.
		await create('Webhook version 1, unchecked', [webhook(randomUUID(), {}, 1), goOn()], {
			checks: false,
		}),
		await create('Webhook, key in a header', [withKey(randomUUID(), key), goOn()], {
			refusal: 403,
		}),
		await create(oursThenIf, [triggerNode(credential), decide(), goOn()], {
			refusal: 401,
			beside: oursThenIf,
		}),
		await create('Webhook, unchecked, then If', [webhook(randomUUID()), decide(), goOn()], {
			checks: false,
			beside: oursThenIf,
		}),
		await create(verifyTitle, checkedByVerify(randomUUID(), credential)),
		await create('Webhook, Crypto, If', checkedByNodes(randomUUID(), hmac)),
		await create('Webhook, Code', checkedByCode(randomUUID(), secret)),
	];
}
