import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { exampleNames, findNode, formUrl } from '../../sandbox/n8n/examples.mts';
import { triggerType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { startMailbox } from '../../sandbox/mailbox/start.mts';
import { exampleOf, prepareWorkspace, type Workspace } from '../../sandbox/n8n/setup.mts';
import type { Json, Workflow, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/service/credential.mts';
import { n8nUrl, rest, serviceUrl, userFolder as sharedFolder } from '../support/environment.mts';
import { forbid } from '../support/credential.mts';

const userFolder = path.join(sharedFolder, 'sandbox-start');
await mkdir(userFolder);
const { smtpPort, stop } = await startMailbox();
afterAll(stop);

const service = { url: serviceUrl, ...serviceCredential };
const prepare = (moved: Partial<Parameters<typeof prepareWorkspace>[0]> = {}) =>
	prepareWorkspace({ rest, n8nUrl, userFolder, service, smtpPort, ...moved });
const first = await prepare();
forbid(first.webhookSecret);

const ours = (type: string) => type.startsWith('n8n-nodes-data-collection.');
const urlsOf = ({ nodes }: { nodes: WorkflowNode[] }) =>
	nodes.map(({ parameters }) => parameters.webhookUrl).filter((url) => url !== undefined);
const idsOf = ({ examples }: Workspace, but = '') =>
	examples.filter(({ name }) => name !== but).map(({ name, workflow }) => [name, workflow.id]);
const stored = async (name: string) => {
	const workflow = await rest.findWorkflow(exampleOf(first, name).id);
	assert.ok(workflow);
	return workflow as Workflow & { activeVersion: { nodes: WorkflowNode[] } };
};
const change = async (name: string, parameters: Json) => {
	const { id, nodes, connections } = await stored(name);
	const changed = nodes.map((node) =>
		ours(node.type) ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
	);
	await rest.updateWorkflow(id, { nodes: changed, connections });
};

test('every example is there, with credentials, template ID and webhook URL filled in', async () => {
	const { dataCollection, smtp } = first.credentials;
	const names = first.examples.map(({ name }) => name);
	expect(names).toStrictEqual(await exampleNames());
	for (const name of names) {
		const workflow = await stored(name);
		const hasTrigger = findNode(workflow, triggerType) !== undefined;
		const url = triggerUrl(n8nUrl, hasTrigger ? workflow : first.onCompleted);
		for (const { type, credentials, parameters } of workflow.nodes) {
			const used = Object.entries(credentials ?? {}).map(([kind, { id }]) => [kind, id]);
			const takesOurs = ours(type) || parameters.nodeCredentialType === dataCollection.type;
			const expected = [
				...(takesOurs ? [['dataCollectionApi', dataCollection.id]] : []),
				...(/\.emailSend(Tool)?$/.test(type) ? [['smtp', smtp.id]] : []),
			];
			expect(used).toStrictEqual(expected);
			const { templateId = 'sandbox-template', webhookUrl = url } = parameters;
			expect([templateId, webhookUrl]).toStrictEqual(['sandbox-template', url]);
		}
	}
	expect(urlsOf(await stored('form-to-email')).length).toBeGreaterThan(0);
});

test('what starts by itself is published, and the form answers', async () => {
	for (const { name } of first.examples) {
		const { nodes, activeVersionId, versionId } = await stored(name);
		const isStarted = nodes.some(({ type }) =>
			/\.(formTrigger|dataCollectionTrigger|webhook)$/.test(type),
		);
		expect(activeVersionId === versionId).toBe(isStarted);
	}
	const form = formUrl(n8nUrl, exampleOf(first, 'form-to-email'));
	expect((await fetch(String(form))).status).toBe(200);
});

test('a later start follows n8n to another port, and keeps what the person has changed', async () => {
	const movedN8n = 'http://127.0.0.1:9';
	const theirs = 'http://127.0.0.1:1/theirs';
	await change('csv-bulk', { templateId: 'their-own', webhookUrl: theirs });
	await rest.deleteWorkflow(exampleOf(first, 'ai-agent').id);
	const next = await prepare({ n8nUrl: movedN8n });
	// Only what was missing is new.
	expect(idsOf(next, 'ai-agent')).toStrictEqual(idsOf(first, 'ai-agent'));
	expect(exampleOf(next, 'ai-agent').id).not.toBe(exampleOf(first, 'ai-agent').id);
	expect(next.credentials.dataCollection.id).toBe(first.credentials.dataCollection.id);
	expect(next.webhookSecret).toBe(first.webhookSecret);
	expect(urlsOf(await stored('csv-bulk'))).toStrictEqual([theirs]);
	const workflow = await stored('form-to-email');
	const url = triggerUrl(movedN8n, first.onCompleted);
	expect([urlsOf(workflow), urlsOf(workflow.activeVersion)]).toStrictEqual([[url], [url]]);
});
