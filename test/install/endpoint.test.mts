import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { given, n8nUrl, openRest, userFolder } from '../support/environment.mts';
import { countExecutions, finished } from '../support/executions.mts';
import { runNode } from '../support/runNode.mts';
import { complete, stateOf } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import { createWaiting, runsOfNext, type Wait } from '../support/waiting.mts';
import { chain, manualName, manualNode, setNode } from '../support/workflows.mts';
import { loadedNodes, packagesOf } from './support/packages.mts';
import { publishNext } from './support/publishing.mts';
import { saveStory, type Story } from './support/story.mts';

const unknown = (type: string) => `Unrecognized node type: ${type}`;

/** Where n8n keeps what it installs. */
const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
const packageFolder = path.join(nodesFolder, 'node_modules', packageName);

/** What n8n notes down as installed, with the versions. */
async function noted(): Promise<unknown> {
	const text = await readFile(path.join(nodesFolder, 'package.json'), 'utf8');
	return (JSON.parse(text) as Json).dependencies;
}

describe("through n8n's endpoint for community packages", () => {
	const rest = openRest();
	const packages = packagesOf(rest);
	let version: string;
	let story: Story;
	let wait: Wait;

	beforeAll(async () => {
		version = await publishNext();
	});

	const assertInstalled = async () => {
		const [installed, ...others] = await packages.list();
		assert.deepEqual(others, []);
		assert.equal(installed?.installedVersion, version);
		assert.equal(installed.failedLoading, false);
		assert.deepEqual(await loadedNodes(rest), {
			dataCollection: version,
			dataCollectionTrigger: version,
			// n8n makes it for its AI Agent.
			dataCollectionTool: version,
		});
		assert.deepEqual(await noted(), { [packageName]: version });
	};
	const assertAlone = () => {
		assert.equal(existsSync(path.join(packageFolder, 'node_modules')), false);
		const { resolve } = createRequire(path.join(packageFolder, 'package.json'));
		assert.throws(() => resolve('n8n-workflow'), { code: 'MODULE_NOT_FOUND' });
	};
	const startWaiting = async (name: string) => {
		const waiting = await createWaiting({ rest, name });
		return await waiting.startWaiting();
	};
	const resumes = async () => {
		await complete(wait.requestId);
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
	};

	test('n8n does not know the nodes before', async () => {
		assert.deepEqual(await packages.list(), []);
		assert.deepEqual(await loadedNodes(rest), {});
	});

	test('is installed by its name and loaded at once, in the newest version', async () => {
		const installed = await packages.install();
		assert.equal(installed.installedVersion, version);
		const nodes = installed.installedNodes.map(({ type, latestVersion }) => [type, latestVersion]);
		assert.deepEqual(nodes.sort(), [
			[actionType, 1],
			[triggerType, 1.1],
		]);
		await assertInstalled();
	});

	test('brings no other package along, and gets n8n-workflow from n8n alone', assertAlone);

	test('shows its icons', async () => {
		const types = await rest.nodeTypes();
		const ours = types.find(({ name }) => name === actionType);
		for (const icon of Object.values(ours?.iconUrl ?? {})) {
			const response = await fetch(`${n8nUrl}/${String(icon)}`);
			assert.equal(response.status, 200, String(icon));
			assert.match(await response.text(), /<svg /);
		}
		assert.deepEqual(Object.keys(ours?.iconUrl ?? {}), ['light', 'dark']);
	});

	test('a saved workflow creates a request, and the trigger hears of it', async () => {
		story = await saveStory(rest, 'Install');
		const tested = await rest.testCredential(story.trigger.credential);
		assert.equal(tested.status, 'OK', tested.message);
		await story.play();
	});

	test("a failure arrives as n8n's own kind of error", async () => {
		const read = { resource: 'collectionRequest', operation: 'get', requestId: 'unknown' };
		const { credential } = story.trigger;
		const run = { rest, name: 'Install: unknown', credential, parameters: read };
		const { data } = await runNode(run);
		assert.equal(data.resultData.error?.name, 'NodeApiError');
		assert.equal(data.resultData.error.httpCode, '404');
		assert.match(String(data.resultData.error.message), /does not know the collection request/);
	});

	test('a newer version in the registry is offered', async () => {
		wait = await startWaiting('Install: waits for the update');
		const next = await publishNext();
		assert.notEqual(next, version);
		const [installed] = await packages.list();
		assert.equal(installed?.installedVersion, version);
		assert.equal(installed.updateAvailable, next);
		version = next;
	});

	test('the update replaces the nodes and is offered no more', async () => {
		const updated = await packages.update();
		assert.equal(updated.installedVersion, version);
		await assertInstalled();
		const [installed] = await packages.list();
		assert.equal(installed?.updateAvailable, undefined);
		assertAlone();
	});

	test('what was saved and published before the update works after it, untouched', async () => {
		await story.play();
	});

	test('an execution that waited during the update goes on', async () => {
		await resumes();
	});

	test('is removed, from the folder and from what n8n offers', async () => {
		wait = await startWaiting('Install: waits for the return');
		await packages.remove();
		assert.deepEqual(await packages.list(), []);
		assert.deepEqual(await loadedNodes(rest), {});
		assert.deepEqual(await noted(), {});
		assert.equal(existsSync(packageFolder), false);
	});

	test('workflows with its nodes are kept and say what is missing', async () => {
		const kept = await rest.findWorkflow(story.creating.id);
		assert.deepEqual(kept?.nodes, story.creating.nodes);
		const run = rest.runManually(story.creating.id, manualName);
		await assert.rejects(run, { status: 400, message: new RegExp(`${unknown(actionType)}$`) });
	});

	test('a notification without its node is refused and starts nothing', async () => {
		const { trigger } = story;
		const answer = await send(trigger.url, trigger.good());
		assert.equal(answer.status, 400);
		assert.ok(answer.text.includes(unknown(triggerType)), answer.text);
		await trigger.assertCount();
	});

	test('n8n is healthy without the package', async () => {
		assert.equal((await fetch(`${n8nUrl}/healthz/readiness`)).status, 200);
		const nodes = [manualNode(), setNode('Edit Fields', 'seen', 'yes')];
		const { id } = await rest.createWorkflow(chain('Install: other nodes', nodes));
		const execution = await finished(rest, await rest.runManually(id, manualName));
		assert.equal(execution.status, 'success');
		assert.equal(await countExecutions(rest, id), 1);
	});

	test('installed again, everything saved before works again, untouched', async () => {
		await packages.install();
		await assertInstalled();
		await story.play();
		assert.equal((await stateOf(wait.requestId)).deliveries.length, 0);
		assert.equal(await wait.status(), 'waiting');
		await resumes();
		await packages.remove();
	});

	test('nothing but the package was ever asked of the registry', async () => {
		const response = await fetch(`${given('registryUrl')}/-/asked`);
		const asked = (await response.json()) as string[];
		const ours = asked.filter((url) => url.startsWith(`/${packageName}`));
		assert.ok(ours.length > 0);
		assert.deepEqual(asked.toSorted(), [...ours, '/-/asked'].sort());
	});
});
