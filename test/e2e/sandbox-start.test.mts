import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleNames, findNode, formUrl } from '../../sandbox/n8n/examples.mts';
import { triggerType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { ownerOf } from '../../sandbox/n8n/owner.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import { exampleOf, prepareWorkspace, type Workspace } from '../../sandbox/n8n/setup.mts';
import type { Json, Workflow, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { introduction } from '../../sandbox/introduction.mts';
import { startMailbox, type RunningMailbox } from '../../sandbox/shared/mailbox.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { n8nUrl, openRest, serviceUrl, userFolder as e2eFolder } from '../support/environment.mts';
import { forbid } from '../support/leaks.mts';

const movedN8n = 'http://127.0.0.1:9';
const ours = (type: string) => type.startsWith('n8n-nodes-data-collection.');
const webhookUrlsOf = ({ nodes }: { nodes: WorkflowNode[] }) =>
	nodes.map(({ parameters }) => parameters.webhookUrl).filter((url) => url !== undefined);

describe('what npm start sets up in n8n', () => {
	let rest: N8nRest;
	let userFolder: string;
	let mailbox: RunningMailbox;
	let first: Workspace;
	const prepare = async (
		moved: { n8nUrl?: string; serviceUrl?: string; smtpPort?: number } = {},
	) => {
		return await prepareWorkspace({
			rest,
			n8nUrl: moved.n8nUrl ?? n8nUrl,
			userFolder,
			service: { url: moved.serviceUrl ?? serviceUrl, ...serviceCredential },
			smtpPort: moved.smtpPort ?? mailbox.smtpPort,
		});
	};
	const idsOf = ({ examples }: Workspace) =>
		examples.map(({ name, workflow }) => [name, workflow.id]);
	const stored = async (name: string): Promise<Workflow> => {
		const workflow = await rest.findWorkflow(exampleOf(first, name).id);
		assert.ok(workflow);
		return workflow;
	};
	const publishedNodes = async (name: string) => {
		const { activeVersion } = (await stored(name)) as Workflow & {
			activeVersion: { nodes: WorkflowNode[] };
		};
		return activeVersion;
	};
	const change = async (name: string, parameters: Json) => {
		const { id, nodes, connections } = await stored(name);
		const changed = nodes.map((node) =>
			ours(node.type) ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		);
		await rest.updateWorkflow(id, { nodes: changed, connections });
	};

	beforeAll(async () => {
		rest = openRest();
		userFolder = await mkdtemp(path.join(tmpdir(), 'sandbox-start-'));
		const [port = 0, smtpPort = 0] = await freePorts(2);
		mailbox = await startMailbox({ port, smtpPort, logFile: path.join(userFolder, 'mailbox.log') });
		first = await prepare();
		forbid(first.webhookSecret);
	});
	afterAll(async () => {
		await mailbox.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	test('every example is there, with credentials, template ID and webhook URL filled in', async () => {
		assert.deepEqual(
			first.examples.map(({ name }) => name),
			await exampleNames(),
		);
		for (const { name } of first.examples) {
			const workflow = await stored(name);
			const { nodes } = workflow;
			const hasTrigger = findNode(workflow, triggerType) !== undefined;
			const url = triggerUrl(n8nUrl, hasTrigger ? workflow : first.onCompleted);
			for (const { type, credentials, parameters } of nodes) {
				if (ours(type))
					assert.equal(credentials?.dataCollectionApi?.id, first.credentials.dataCollection.id);
				else if (/\.emailSend(Tool)?$/.test(type))
					assert.equal(credentials?.smtp?.id, first.credentials.smtp.id);
				else assert.equal(credentials, undefined, `${name}: ${type}`);
				if (parameters.templateId !== undefined)
					assert.equal(parameters.templateId, 'sandbox-template');
				if (parameters.webhookUrl !== undefined) assert.equal(parameters.webhookUrl, url);
			}
		}
		assert.ok(webhookUrlsOf(await stored('form-to-email')).length > 0);
	});

	test('the trigger and the form are published and answer, the others are not', async () => {
		for (const { name } of first.examples) {
			const workflow = await stored(name);
			const isStarted = workflow.nodes.some(({ type }) =>
				/\.(formTrigger|dataCollectionTrigger)$/.test(type),
			);
			assert.equal(workflow.activeVersionId === workflow.versionId, isStarted, name);
		}
		const form = formUrl(n8nUrl, exampleOf(first, 'form-to-email'));
		assert.equal((await fetch(String(form))).status, 200);
		const forged = await fetch(triggerUrl(n8nUrl, first.onCompleted), {
			method: 'POST',
			body: '{}',
		});
		assert.equal(forged.status, 401);
	});

	test('both credentials work', async () => {
		const { dataCollection, smtp } = first.credentials;
		for (const credential of [dataCollection, smtp]) {
			assert.equal((await rest.testCredential(credential)).status, 'OK', credential.name);
		}
	});

	test('its notes are for their owner alone', async () => {
		const file = path.join(userFolder, 'sandbox.json');
		assert.equal((await stat(file)).mode & 0o777, 0o600);
		assert.ok((await readFile(file, 'utf8')).includes(first.webhookSecret));
	});

	test('the password is made once for a folder, kept there, and said at the start', async () => {
		const owner = await ownerOf(userFolder);
		assert.match(owner.password, /^(?=.*[A-Z])(?=.*\d).{16,64}$/);
		assert.notEqual(owner.password, (await ownerOf(e2eFolder)).password);
		await prepare();
		assert.deepEqual(await ownerOf(userFolder), owner);
		const addresses = { n8n: { url: n8nUrl, logFile: '' }, service: { url: serviceUrl }, mailbox };
		const text = introduction({ ...addresses, owner, workspace: first });
		assert.ok(text.includes(`Log in with       ${owner.email}  /  ${owner.password}\n`));
	});

	test('a second start makes nothing new', async () => {
		const second = await prepare();
		assert.deepEqual(idsOf(second), idsOf(first));
		assert.deepEqual(second.credentials.dataCollection.id, first.credentials.dataCollection.id);
		assert.equal(second.webhookSecret, first.webhookSecret);
	});

	test('what the person has changed stays, what is missing is made again', async () => {
		await change('csv-bulk', { templateId: 'their-own', webhookUrl: 'http://127.0.0.1:1/theirs' });
		await rest.deleteWorkflow(exampleOf(first, 'ai-agent').id);
		const next = await prepare({ n8nUrl: movedN8n });
		const before = idsOf(first).filter(([name]) => name !== 'ai-agent');
		assert.deepEqual(
			idsOf(next).filter(([name]) => name !== 'ai-agent'),
			before,
		);
		assert.notEqual(exampleOf(next, 'ai-agent').id, exampleOf(first, 'ai-agent').id);
		assert.deepEqual(webhookUrlsOf(await stored('csv-bulk')), ['http://127.0.0.1:1/theirs']);
		first = next;
	});

	test('a webhook URL follows n8n to another port, in the published version too', async () => {
		const url = triggerUrl(movedN8n, first.onCompleted);
		assert.deepEqual(webhookUrlsOf(await stored('form-to-email')), [url]);
		assert.deepEqual(webhookUrlsOf(await publishedNodes('form-to-email')), [url]);
		const own = triggerUrl(movedN8n, exampleOf(first, 'nothing-missed'));
		assert.deepEqual(webhookUrlsOf(await stored('nothing-missed')), [own]);
		assert.deepEqual(webhookUrlsOf(await publishedNodes('nothing-missed')), [own]);
	});

	test('but a change that the person has not published is not published for them', async () => {
		await change('form-to-email', { templateId: 'not-published-yet' });
		await prepare();
		const url = triggerUrl(n8nUrl, first.onCompleted);
		assert.deepEqual(webhookUrlsOf(await stored('form-to-email')), [url]);
		const { nodes } = await publishedNodes('form-to-email');
		assert.ok(!nodes.some(({ parameters }) => parameters.templateId === 'not-published-yet'));
	});

	test('the credentials follow service and mailbox to other ports, and keep the rest', async () => {
		const { dataCollection, smtp } = first.credentials;
		const { data } = await rest.getCredential(smtp.id);
		await rest.updateCredential(smtp, { ...data, hostName: 'their.example' });
		await prepare({ serviceUrl: 'http://127.0.0.1:7', smtpPort: 7 });
		const service = (await rest.getCredential(dataCollection.id)).data ?? {};
		assert.equal(service.stagingBaseUrl, 'http://127.0.0.1:7');
		assert.equal(service.stagingCollectUrl, 'http://127.0.0.1:7');
		const { port, host, hostName } = (await rest.getCredential(smtp.id)).data ?? {};
		assert.deepEqual(
			{ port, host, hostName },
			{ port: 7, host: '127.0.0.1', hostName: 'their.example' },
		);
		await prepare();
		assert.equal((await rest.testCredential(smtp)).status, 'OK');
		assert.equal((await rest.testCredential(dataCollection)).status, 'OK');
	});
});
