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
import { amount, runBench, type Report, type Row } from './support/report.mts';
import { startReported, type Reported } from './support/reported.mts';
import { spreadOf } from './support/statistics.mts';

const sizes = amount(1, 0) === 1 ? [100, 500, 1_000] : [10];
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
	return { workflowId: workflow.id, executionId: await n8n.executions.waiting(workflow.id) };
}

/** One wait from its beginning to its end. */
async function measure(size: number, isRestarted: boolean): Promise<Row> {
	const secret = randomBytes(24).toString('hex');
	const n8n = await startBenchN8n({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
	const service = await startReported(READ_TIME);
	const around = { n8n, service, secret };
	const started = Date.now();
	const { executionId } = await startWaiting(around, size);
	const begun = Date.now() - started;
	const bytes = n8n.executions.bytes(executionId);
	// In the order in which people answer: any.
	const ids = service
		.ids()
		.toSorted((one, other) => hash('md5', one).localeCompare(hash('md5', other)));
	service.takeReads();
	const before = n8n.used();
	const responses = await notifyAll(around, isRestarted ? ids.slice(0, -1) : ids);
	const { cpu, memory } = n8n.used();
	const reads = service.takeReads();
	if (isRestarted) {
		await n8n.restart();
		service.takeReads();
	}
	const last = isRestarted ? [await notify(around, ids.at(-1) ?? '')] : [];
	const accepted = [...responses, ...last].filter(({ said }) => said === '200 accepted');
	if (accepted.length !== 1)
		throw new Failure(`Ended ${accepted.length} times: ${JSON.stringify(last)}`);
	await n8n.executions.ended(executionId);
	const items = outputOf(await n8n.rest.getExecution(executionId), 'Answers');
	const times = responses.map(({ time }) => time);
	const others = responses.filter(({ said }) => !/^200 (waiting|accepted|duplicate)$/.test(said));
	const row: Row = {
		Requests: size,
		Load: loadavg()[0]?.toFixed(1) ?? '',
		'Until it waits, s': (begun / 1000).toFixed(1),
		'Stored, kB': Math.round(bytes / 1000),
		'Median, ms': Math.round(spreadOf(times).median),
		'Slowest, ms': Math.round(Math.max(...times)),
		'Ends, ms': Math.round(accepted[0]?.time ?? NaN),
		'CPU each, ms': Math.round((cpu - before.cpu) / responses.length),
		Reads: reads,
		'Memory, MB': memory,
		'Other responses': others.length,
		Items: items.length,
		'Without data': items.filter(({ readError }) => readError !== undefined).length,
		Restarted: isRestarted
			? `${Math.round(last[0]?.time ?? NaN)} ms, ${service.takeReads()} reads`
			: '',
	};
	console.log(JSON.stringify(row));
	await n8n.stop();
	await service.stop();
	return row;
}

async function main(): Promise<Report> {
	const rows: Row[] = [];
	for (const size of sizes) {
		for (const isRestarted of [false, true]) rows.push(await measure(size, isRestarted));
	}
	return { tables: [rows], raw: rows, promised: [] };
}

await runBench('wait', '10 minutes', main);
