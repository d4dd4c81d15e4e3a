// `npm run bench -- wait`: a Wait for many collection requests in a published workflow. Ten
// notifications at a time report each of them as completed, to a service whose reads take 100 ms; once
// without a pause, and once with a restart of n8n before the last one, which has to read everything.
import { createHmac, hash, randomBytes, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { publish } from '../sandbox/n8n/publish.mts';
import { outputOf } from '../sandbox/n8n/types.mts';
import { Failure } from '../sandbox/shared/failure.mts';
import { startBenchN8n, type BenchN8n } from './support/n8n.mts';
import { actionNode, chain, node, webhookNode } from './support/nodes.mts';
import { amount, runBench, type Report } from './support/report.mts';
import { startReported, type Reported } from './support/reported.mts';
import { spreadOf } from './support/statistics.mts';

const sizes = [amount(100, 10), amount(500, 20), amount(1_000, 30)];
const CONNECTIONS = 10;
const READ_TIME = 100;

/** One response to a notification: what n8n said, and the milliseconds until then. */
interface Response {
	said: string;
	time: number;
}

interface Around {
	n8n: BenchN8n;
	service: Reported;
	secret: string;
}

/** Sends a signed notification that a collection request is completed. */
async function notify({ service, secret }: Around, requestId: string): Promise<Response> {
	service.complete(requestId);
	const timestamp = String(Date.now());
	const shareStatus = 'completed';
	const event = 'collection_request.updated';
	const body = JSON.stringify({ event, requestId, shareStatus, timestamp });
	const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
	const headers = {
		'Content-Type': 'application/json',
		'X-SVC-Signature': signature,
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': event,
		'X-SVC-Delivery-Id': randomUUID(),
	};
	const start = performance.now();
	const response = await fetch(service.urlOf(requestId), { method: 'POST', headers, body });
	const { status } = (await response.json()) as { status?: string };
	return { said: `${response.status} ${status ?? ''}`, time: performance.now() - start };
}

/** Sends them, so many at a time. */
async function notifyAll(around: Around, ids: string[]): Promise<Response[]> {
	const responses: Response[] = [];
	const next = ids.values();
	const worker = async () => {
		for (const id of next) responses.push(await notify(around, id));
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, worker));
	return responses;
}

/** Starts the workflow for so many rows, and waits until it waits; resolves to its execution's ID. */
async function startWaiting({ n8n, secret, service }: Around, size: number) {
	const credential = await n8n.credential(service.url, secret);
	const webhook = webhookNode();
	const request = { resource: 'collectionRequest' };
	const workflow = await publish(
		n8n.rest,
		await n8n.rest.createWorkflow(
			chain('bench wait', [
				webhook,
				node('Rows', 'splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
				actionNode('Create', credential, {
					...request,
					operation: 'create',
					templateId: '={{ $json.row }}',
					participants: {
						participant: [{ name: '={{ $json.row }}', email: '={{ $json.row }}@example.com' }],
					},
				}),
				node('Email', 'noOp', 1),
				{
					...actionNode('Wait', credential, { ...request, operation: 'wait' }),
					webhookId: randomUUID(),
				},
				node('Answers', 'noOp', 1),
			]),
		),
	);
	const rows = Array.from({ length: size }, (_, index) => ({ row: `person-${index}` }));
	const url = `${n8n.url}/webhook/${String(webhook.parameters.path)}`;
	const headers = { 'Content-Type': 'application/json' };
	await fetch(url, { method: 'POST', headers, body: JSON.stringify({ rows }) });
	return await n8n.executions.waiting(workflow.id);
}

/** Notifies it of all; `before` runs before the last one, which is sent alone. */
async function notifyInTurn(around: Around, before?: () => Promise<void>) {
	const { n8n, service } = around;
	const digest = (id: string) => hash('md5', id);
	// In the order in which people answer: any.
	const ids = service.ids().toSorted((one, other) => digest(one).localeCompare(digest(other)));
	service.takeReads();
	const { cpu: start } = n8n.used();
	const responses = await notifyAll(around, before ? ids.slice(0, -1) : ids);
	const { cpu, memory } = n8n.used();
	const used = { each: (cpu - start) / responses.length, memory, reads: service.takeReads() };
	if (before === undefined) return { responses, ...used };
	await before();
	const last = await notify(around, ids.at(-1) ?? '');
	return { responses: [...responses, last], ...used, reads: service.takeReads() };
}

/** One wait from its beginning to its end. Fails if it ends twice, or if something does not come out. */
async function measure(size: number, isRestarted: boolean) {
	const secret = randomBytes(24).toString('hex');
	const n8n = await startBenchN8n({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
	const service = await startReported(READ_TIME);
	const around = { n8n, service, secret };
	const executionId = await startWaiting(around, size);
	const bytes = n8n.executions.bytes(executionId);
	const restart = isRestarted ? n8n.restart : undefined;
	const { responses, each, memory, reads } = await notifyInTurn(around, restart);
	const saying = (said: string) => responses.filter((response) => response.said === said);
	const ends = saying('200 accepted');
	await n8n.executions.ended(executionId);
	const items = outputOf(await n8n.rest.getExecution(executionId), 'Answers');
	await Promise.all([n8n.stop(), service.stop()]);
	const isEachRead = items.every(({ readError }) => readError === undefined);
	if (ends.length !== 1 || items.length !== size || !isEachRead) {
		throw new Failure(`${ends.length} ends, ${items.length} items, each read: ${isEachRead}`);
	}
	const times = responses.map(({ time }) => time);
	return {
		'Collection requests': size,
		'Restarted before the last': isRestarted ? 'yes' : 'no',
		'Median, ms': Math.round(spreadOf(times).median),
		'Slowest, ms': Math.round(Math.max(...times)),
		'The one that ends it, ms': Math.round(ends[0]?.time ?? NaN),
		"n8n's processor, ms each": Math.round(each),
		Reads: reads,
		'Stored, kB': Math.round(bytes / 1000),
		'Memory, MB': memory,
		'Not checked': saying('503 not checked').length,
		Load: loadavg()[0]?.toFixed(1) ?? '',
	};
}

async function main(): Promise<Report> {
	const rows: Array<Awaited<ReturnType<typeof measure>>> = [];
	for (const size of sizes) {
		for (const isRestarted of [false, true]) rows.push(await measure(size, isRestarted));
	}
	const value = Math.max(...rows.map((row) => row['Slowest, ms']));
	const promised = [{ what: 'The slowest response, ms', value, atMost: 5_000 }];
	return { tables: [rows], raw: rows, promised };
}

await runBench('wait', '10 minutes', main);
