import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import { nodesFolder, packageFolder } from '../../sandbox/n8n/nodePackage.mts';
import { outputOf, type Json, type Workflow } from '../../sandbox/n8n/types.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { sharedPage } from '../support/browser.mts';
import { n8nUrl, rest, service, userFolder } from '../support/environment.mts';
import { nodeName, succeeded } from '../support/executions.mts';
import { send } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { createWaiting, type Wait } from '../support/waiting.mts';
import { actionNode, chain, manualName, manualNode } from '../support/workflows.mts';
import { asked, publishNext } from './registry.mts';

/** A community package as n8n's settings show it. */
interface InstalledPackage {
	installedVersion: string;
	/** A newer version in the registry. */
	updateAvailable?: string;
	failedLoading?: boolean;
}

const page = sharedPage();

const route = '/rest/community-packages';
const installed = () => rest.send<InstalledPackage[]>('GET', route);
const unknown = (type: string) => `Unrecognized node type: ${type}`;

const folder = packageFolder(userFolder);

/** What n8n lists, what it has recorded in its folder, and the versions of the nodes it offers. */
const known = async () => {
	const manifest = await readFile(path.join(nodesFolder(userFolder), 'package.json'), 'utf8').catch(
		() => '{}',
	);
	const ours = (await rest.nodeTypes()).filter(({ name }) =>
		String(name).startsWith(`${packageName}.`),
	);
	return {
		listed: (await installed()).map(({ installedVersion }) => installedVersion),
		noted: { ...((JSON.parse(manifest) as Json).dependencies as Json | undefined) },
		offered: Object.fromEntries(
			ours.map((type) => [String(type.name).split('.')[1], type.communityNodePackageVersion]),
		) as Json,
	};
};
const nothing = { listed: [], noted: {}, offered: {} };

const startWaiting = async (name: string) =>
	await (await createWaiting({ name: `Install: ${name}` })).startWaiting();
const resumes = async ({ requestId, endsOnce }: Wait) => {
	service.complete(requestId);
	await endsOnce();
};

let version: string;
let trigger: Trigger;
/** Creates a collection request that reports to the trigger. */
let creating: Workflow;
let wait: Wait;

const assertInstalled = async () => {
	expect(await known()).toStrictEqual({
		listed: [version],
		noted: { [packageName]: version },
		// n8n generates the tool, for its AI Agent.
		offered: {
			dataCollection: version,
			dataCollectionTrigger: version,
			dataCollectionTool: version,
		},
	});
	const [{ failedLoading, updateAvailable } = {}] = await installed();
	expect({ failedLoading, updateAvailable }).toStrictEqual({
		failedLoading: false,
		updateAvailable: undefined,
	});
	// It installs no other package, and gets n8n-workflow only from n8n.
	expect(await readdir(folder)).not.toContain('node_modules');
	const { resolve } = createRequire(path.join(folder, 'package.json'));
	expect(() => resolve('n8n-workflow')).toThrow(/Cannot find module/);
};
/** Creates and completes a collection request; the trigger must run once per notification. */
const play = async () => {
	const execution = await succeeded(await rest.runManually(creating.id, manualName));
	const [item = {}] = outputOf(execution, nodeName);
	const { request, guestLink } = service.stateOf(item.requestId);
	expect(item.guestLink).toBe(guestLink);
	service.complete(request._id);
	for (const status of ['open', 'completed']) {
		expect(await service.answered(request._id, status)).toBe('200 accepted');
	}
	await trigger.assertCount(2);
};

test('is installed by its name, in the newest version', async () => {
	expect(await known()).toStrictEqual(nothing);
	version = await publishNext();
	await rest.send('POST', route, { name: packageName });
	await assertInstalled();
});

test('a saved workflow creates a request, and the trigger hears of it', async () => {
	trigger = await createTrigger({ name: 'Install: on status' });
	const tested = await rest.testCredential(trigger.credential);
	expect(tested.status).toBe('OK');
	const node = actionNode(nodeName, trigger.credential, {
		resource: 'collectionRequest',
		operation: 'create',
		templateId: 'install-template',
		notify: 'trigger',
		webhookUrl: trigger.url,
	});
	creating = await rest.createWorkflow(chain('Install: create', [manualNode(), node]));
	await play();
});

test('n8n learns of a newer version', async () => {
	wait = await startWaiting('waits for the update');
	const old = version;
	version = await publishNext();
	const [{ installedVersion, updateAvailable } = {}] = await installed();
	expect([installedVersion, updateAvailable]).toStrictEqual([old, version]);
});

test('the update says which workflows it changes; they go on working, and so does what waited', async () => {
	await page.goto(`${n8nUrl}/settings/community-nodes`);
	const card = page.getByTestId('community-package-card').filter({ hasText: packageName });
	await card.getByRole('button', { name: 'Update', exact: true }).click();
	const dialog = page.getByRole('dialog');
	for (const { name } of [creating, trigger.workflow]) await dialog.getByText(name).waitFor();
	await dialog.getByRole('button', { name: 'Confirm update' }).click();
	await card.getByText(`v${version}`, { exact: true }).waitFor();
	await assertInstalled();
	await play();
	await resumes(wait);
});

test('is removed, with all of its files', async () => {
	wait = await startWaiting('waits for the return');
	await rest.send('DELETE', `${route}?name=${packageName}`);
	expect(await known()).toStrictEqual(nothing);
	expect(existsSync(folder)).toBe(false);
});

test('its node is kept in the workflow and says what has to be installed', async () => {
	expect((await rest.findWorkflow(creating.id))?.nodes).toStrictEqual(creating.nodes);
	const run = rest.runManually(creating.id, manualName);
	await expect(run).rejects.toMatchObject({
		status: 400,
		message: expect.stringMatching(new RegExp(`${unknown(actionType)}$`)) as string,
	});
});

test('a notification without its node is refused and starts nothing', async () => {
	const response = await send(trigger.url, trigger.good());
	expect(response).toMatch(/^400 /);
	expect(response).toContain(unknown(triggerType));
	await trigger.assertCount();
});

test('installed again, everything saved before works again, untouched', async () => {
	await rest.send('POST', route, { name: packageName });
	await assertInstalled();
	await play();
	expect(service.stateOf(wait.requestId).deliveries.length).toBe(0);
	expect(await wait.status()).toBe('waiting');
	await resumes(wait);
});

test('nothing but the package was ever asked of the registry', () => {
	const ours = [...asked].filter((url) => url.startsWith(`/${packageName}`));
	expect(ours.length).toBeGreaterThan(0);
	expect([...asked]).toStrictEqual(ours);
});
