import { randomUUID } from 'node:crypto';
import type { Credential, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { actionNode, node, triggerNode, webhookNode } from '../../sandbox/n8n/workflows.mts';
import type { Deployment } from './deployment.mts';
import { noOperation, publishTarget, type Target } from './target.mts';

/** The last node of each flow; it runs only for deliveries taken as genuine. */
export const lastNode = 'Go On';

/** A way to receive notifications in n8n. */
export interface Flow extends Target {
	/** The status with which it refuses forged deliveries; undefined if they start executions. */
	refusal: number | undefined;
	/** Whether it keeps forged deliveries from the last node. */
	checks: boolean;
	/** Title of the package's flow with the same next nodes. */
	beside: string;
}

/** The header with the sender's key, if n8n's Webhook node requires one. */
export const keyHeader = 'X-Bench-Key';

const goOn = () => noOperation(lastNode);

function webhook(changes: Json = {}): WorkflowNode {
	const hook = webhookNode();
	return { ...hook, parameters: { ...hook.parameters, ...changes } };
}

const rawWebhook = () => webhook({ options: { rawBody: true } });

/** n8n's own check of a key, not of a signature: like the package, it reads a credential. */
const withKey = ({ id, name }: Credential): WorkflowNode => ({
	...webhook({ authentication: 'headerAuth' }),
	credentials: { httpHeaderAuth: { id, name } },
});

const condition = (leftValue: string, rightValue: unknown, type: string, operation: string) => ({
	...{ id: randomUUID(), leftValue, rightValue, operator: { type, operation } },
});

/** n8n's If node, which passes on what meets all conditions. */
function ifAll(name: string, conditions: Json[]): WorkflowNode {
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	return node(name, 'n8n-nodes-base.if', 2.2, {
		conditions: { combinator: 'and', options, conditions },
		options: {},
	});
}

/** What comes next in nearly every workflow: a condition on the item, with an expression. */
const decide = () =>
	ifAll('Decide', [condition('={{ Object.keys($json).length }}', 0, 'number', 'gt')]);

/** What people build from n8n's own nodes without code. */
function checkedByNodes({ id, name }: Credential): WorkflowNode[] {
	const time = "$json.headers['x-svc-timestamp'] ?? ''";
	return [
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
	return node('Check', 'n8n-nodes-base.code', 2, { jsCode });
}

/** The package's check after n8n's Webhook node; a refused delivery ends there. */
function checkedByVerify(credential: Credential): WorkflowNode {
	const parameters = { resource: 'notification', operation: 'verify' };
	return { ...actionNode('Verify', credential, parameters), onError: 'continueErrorOutput' };
}

const ours = 'Data Collection Trigger';
/** Title of the flow with the package's own check after n8n's Webhook node. */
export const verifyTitle = 'Webhook, Verify';
const oursThenIf = `${ours}, then If`;

/** Publishes the flows to compare; all of them respond before the workflow runs. */
export async function publishFlows(
	deployment: Deployment,
	credential: Credential,
	secret: string,
): Promise<Flow[]> {
	const { rest } = deployment;
	const hmac = await rest.createCredential('bench', 'crypto', { hmacSecret: secret });
	const header = { name: keyHeader, value: secret };
	const key = await rest.createCredential('bench', 'httpHeaderAuth', header);
	const create = async (
		title: string,
		[start, ...others]: [WorkflowNode, ...WorkflowNode[]],
		{ refusal, checks = true, beside = ours }: Partial<Flow> = {},
	): Promise<Flow> => {
		const target = await publishTarget(deployment, title, [start, ...others, goOn()]);
		return { ...target, refusal, checks, beside };
	};
	const trigger = () => triggerNode(credential);
	const thenIf = { beside: oursThenIf };
	return [
		await create(ours, [trigger()], { refusal: 401 }),
		await create('Webhook, unchecked', [webhook()], { checks: false }),
		// n8n uses an isolate for it, as for every trigger except the newer versions of this node.
		await create('Webhook version 1, unchecked', [{ ...webhook(), typeVersion: 1 }], {
			checks: false,
		}),
		await create('Webhook, key in a header', [withKey(key)], { refusal: 403 }),
		await create(oursThenIf, [trigger(), decide()], { refusal: 401, ...thenIf }),
		await create('Webhook, unchecked, then If', [webhook(), decide()], {
			...{ checks: false, ...thenIf },
		}),
		await create(verifyTitle, [rawWebhook(), checkedByVerify(credential)]),
		await create('Webhook, Crypto, If', [rawWebhook(), ...checkedByNodes(hmac)]),
		await create('Webhook, Code', [rawWebhook(), checkedByCode(secret)]),
	];
}
