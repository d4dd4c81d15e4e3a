// `npm run bench -- create`: 1,000 creates in a real n8n against a service that takes 100 ms, at
// several concurrencies, and against one that allows 50 requests a second. The time is that of the
// node as n8n measures it, the median of several runs; a run counts only when every item was
// created exactly once.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../sandbox/n8n/install.mts';
import { startN8n } from '../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../sandbox/n8n/nodePackage.mts';
import { createRest, type N8nRest } from '../sandbox/n8n/rest.mts';
import { signIn } from '../sandbox/n8n/setup.mts';
import type { Credential, WorkflowFile } from '../sandbox/n8n/types.mts';
import { executionSucceeded } from '../sandbox/shared/executions.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { runCommand } from '../sandbox/shared/lifetime.mts';
import { root } from '../sandbox/shared/paths.mts';
import { freePorts } from '../sandbox/shared/ports.mts';
import { startCountingService, type CountingService } from './support/countingService.mts';

const items = 1_000;
const delay = 100;
const runs = 3;

function workflow(credential: Credential, concurrency: number): WorkflowFile {
	const node = (name: string, type: string, parameters: object, extra: object = {}) => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		...extra,
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		name: `bench ${concurrency}`,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node(
				'Items',
				'n8n-nodes-base.code',
				{ jsCode: `return Array.from({ length: ${items} }, (_, i) => ({ json: { i } }));` },
				{ typeVersion: 2 },
			),
			node(
				'Create',
				'n8n-nodes-data-collection.dataCollection',
				{
					templateId: 'bench',
					additionalFields: { webhookIdentifier: '={{ $json.i }}' },
					options: { concurrency },
				},
				{ credentials: { dataCollectionApi: { id: credential.id, name: credential.name } } },
			),
		],
		connections: { Start: to('Items'), Items: to('Create') },
		settings: { executionOrder: 'v1' },
	} as unknown as WorkflowFile;
}

/** Milliseconds that the node took for all items. */
async function measure(
	rest: N8nRest,
	service: CountingService,
	concurrency: number,
): Promise<number> {
	service.reset();
	const credential = await rest.createCredential('bench', 'dataCollectionApi', {
		environment: 'staging',
		stagingBaseUrl: service.url,
		stagingCollectUrl: service.url,
		apiKey: 'bench-key',
		tokenId: 'bench-token',
	});
	const { id } = await rest.createWorkflow(workflow(credential, concurrency));
	const executionId = await rest.runManually(id, 'Start');
	// Each look costs n8n time that would be counted as the node's.
	const execution = await executionSucceeded(rest, executionId, { within: 300_000, pause: 2_000 });
	const [run] = execution.data.resultData.runData.Create ?? [];
	const output = run?.data?.main?.[0] ?? [];
	const inOrder = output.every(({ json }, index) => json._id === `id-${index}`);
	const once = [...service.created.values()].every((count) => count === 1);
	if (output.length !== items || !inOrder || service.created.size !== items || !once) {
		throw new Failure(`Not every item was created exactly once and in order (${concurrency}).`);
	}
	return Number(run?.executionTime);
}

async function main(): Promise<number> {
	const userFolder = path.join(root, '.bench');
	await ensureN8nInstalled(console.log);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { mode: 0o700 });
	await installNodePackage({ userFolder, log: console.log });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const n8n = await startN8n({ userFolder, port, runnersBrokerPort, log: console.log });
	const rest = createRest(n8n.url);
	await signIn(rest);

	console.log(`\n${items} creates, service at ${delay} ms`);
	const service = await startCountingService({ delay });
	for (const concurrency of [1, 5, 25]) {
		const ideal = (items / concurrency) * delay;
		const times: number[] = [];
		for (let run = 0; run < runs; run++) times.push(await measure(rest, service, concurrency));
		const [least = 0, median = 0, most = 0] = times
			.sort((a, b) => a - b)
			.map((time) => time / ideal);
		console.log(
			`  concurrency ${concurrency}: ideal ${ideal} ms, ratio ${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`,
		);
	}
	await service.stop();

	const limited = await startCountingService({ delay: 0, limit: 50 });
	for (const concurrency of [5, 25, 50]) {
		const time = await measure(rest, limited, concurrency);
		const refused = limited.refused();
		console.log(
			`  50 a second, concurrency ${concurrency}: all created once in ${time} ms, ${refused} refused on the way`,
		);
	}
	await limited.stop();
	return 0;
}

await runCommand(main, 130);
