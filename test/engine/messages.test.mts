import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_BLANKING_VALUE } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { assertReady } from '../../nodes/DataCollection/trigger/webhook.ts';
import { explain } from '../../nodes/DataCollection/api/errors.ts';
import { selfSigned } from './support/certificate.mts';
import { runAction, runError } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, text, withFaultServer } from './support/faultServer.mts';
import { hookContext } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { beforeExecution, putAfterCreate } from './support/workflow.mts';

const time = useVirtualTime();

/** The first column of the tables in docs/messages.md. */
const TABLE = readFileSync(join(import.meta.dirname, '../../docs/messages.md'), 'utf8')
	.split('\n')
	.map((line) => /^\| `([^`]+)` +\|/.exec(line)?.[1])
	.filter((message) => message !== undefined);

/** A message of the table as a pattern: `<…>` stands for anything, all else word for word. */
const patternOf = (message: string) =>
	new RegExp(
		`^${message
			.split(/<[^>]*>/)
			.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
			.join('.+')}$`,
		's',
	);

const found = new Set<string>();
function expectInTable(message: string): void {
	const rows = TABLE.filter((row) => patternOf(row).test(message));
	expect({ message, rows: rows.length > 0 }).toEqual({ message, rows: true });
	for (const row of rows) found.add(row);
}

const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
const GET = { resource: 'collectionRequest', operation: 'get', requestId: '1' };
const WAIT = { ...GET, operation: 'wait' };
const SHARE = { resource: 'share', operation: 'get', shareBy: 'requestId', requestId: '1' };
const VERIFY = { resource: 'notification', operation: 'verify' };
const SEND_TEST = {
	...VERIFY,
	operation: 'sendTest',
	webhookUrl: 'http://127.0.0.1:9',
	requestId: '1',
};
const HOOK = 'https://n8n.example.com/webhook/1/webhook';
const FINE = json(200, { _id: '1' });
const asJson = (participantsJson: string) => ({
	...CREATE,
	participantsMode: 'json',
	participantsJson,
});

interface Case {
	parameters: INodeParameters;
	answer?: Answer;
	credential?: ICredentialDataDecryptedObject;
	input?: IDataObject[];
}

async function messageOf({ answer = FINE, credential, ...action }: Case) {
	return await withFaultServer(answer, async ({ url }) => {
		return await runError({ ...action, credential: { productionBaseUrl: url, ...credential } });
	});
}

const PARAMETERS: Array<[string, Case]> = [
	['empty ID', { parameters: { ...GET, requestId: '={{ "" }}' } }],
	['empty share ID', { parameters: { ...SHARE, shareBy: 'shareId', shareId: ' ' } }],
	['dots', { parameters: { ...GET, requestId: '..' } }],
	['an object as text', { parameters: { ...CREATE, templateId: '={{ ({}) }}' } }],
	['not whole', { parameters: { ...CREATE, minimumParticipants: 1.5 } }],
	['negative', { parameters: { ...CREATE, maximumParticipants: -1 } }],
	['crossed', { parameters: { ...CREATE, minimumParticipants: 5, maximumParticipants: 4 } }],
	[
		'empty entry',
		{ parameters: { ...CREATE, participants: { participant: [{ name: ' ', isAdmin: true }] } } },
	],
	['other names', { parameters: asJson('[{"mail":"a"}]') }],
	['a link of elsewhere', { parameters: { ...GET, requestId: 'https://a.example.com/request/1' } }],
	['no object', { parameters: asJson('["a"]') }],
	['no list', { parameters: asJson('{}') }],
	['bad JSON', { parameters: asJson('[{"a":1,}]') }],
	['JSON that ends', { parameters: asJson('[{"a":1') }],
	[
		'webhook URL',
		{ parameters: { ...CREATE, notify: 'trigger', webhookUrl: 'n8n.example.com/webhook/1' } },
	],
	[
		'webhook URL without secret',
		{
			parameters: { ...CREATE, notify: 'trigger', webhookUrl: HOOK },
			credential: { webhookSecret: '' },
		},
	],
	[
		'webhook secret lost in the editor',
		{
			parameters: { ...CREATE, notify: 'trigger', webhookUrl: HOOK },
			credential: { webhookSecret: `${CREDENTIAL_BLANKING_VALUE}x` },
		},
	],
	[
		'private webhook URL',
		{
			parameters: {
				...CREATE,
				notify: 'trigger',
				webhookUrl: 'http://192.168.1.2/webhook/1/webhook',
			},
			credential: { productionBaseUrl: 'https://api.example.com' },
		},
	],
	[
		'private resume URL',
		{
			parameters: { ...CREATE, notify: 'wait' },
			credential: { productionBaseUrl: 'https://api.example.com' },
		},
	],
	['concurrency', { parameters: { ...CREATE, options: { concurrency: 0 } } }],
	['timeout', { parameters: { ...CREATE, options: { timeout: 0 } } }],
	[
		'101 collection requests to wait for',
		{
			parameters: { ...WAIT, requestId: '={{ $json.id }}' },
			input: Array.from({ length: 101 }, (_, id) => ({ id })),
		},
	],
	[
		'a credential of an item',
		{ parameters: WAIT, credential: { apiKey: '={{ $json.key }}' }, input: [{ key: 'a' }] },
	],
	['no status', { parameters: { ...WAIT, waitForStatuses: [' '] } }],
	['no amount', { parameters: { ...WAIT, limitWaitTime: true, resumeAmount: -1 } }],
	[
		'no date',
		{
			parameters: {
				...WAIT,
				limitWaitTime: true,
				limitType: 'atSpecifiedTime',
				maxDateAndTime: 'soon',
			},
		},
	],
	['no share', { parameters: SHARE }],
	[
		'a share ID that is a number',
		{ parameters: SHARE, answer: json(200, { _id: '1', shareId: 7 }) },
	],
	['no binary field', { parameters: VERIFY }],
	['a webhook URL where nobody listens', { parameters: SEND_TEST }],
	['unknown operation', { parameters: { resource: 'share', operation: 'destroy' } }],
];

const ADDRESSES: Array<[string, Case]> = [
	['', 'api.example.com', 'http://api.example.com', 'https://u:p@api.example.com']
		.concat(['https://api.example.com?a', 'https://api.example.com#a', 'https://a.example/di'])
		.map((productionBaseUrl): [string, Case] => [
			`address ${productionBaseUrl}`,
			{ parameters: GET, credential: { productionBaseUrl } },
		]),
	[
		['collect URL', { parameters: GET, credential: { productionCollectUrl: '' } }] as [
			string,
			Case,
		],
	],
].flat();

const BOTH_WAYS: Array<[string, Omit<Case, 'parameters'>]> = [
	['host not found', { credential: { productionBaseUrl: 'https://nothing.invalid' } }],
	['not reachable', { credential: { productionBaseUrl: 'http://127.0.0.1:9' } }],
	['not HTTP', { answer: (response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n') }],
	['hang', { answer: () => time.advance(30_000) }],
	['reset', { answer: (response) => void response.socket?.resetAndDestroy() }],
	...[302, 307, 400, 401, 403, 404, 408, 409, 410, 422, 429, 500, 502, 503, 504].map(
		(status): [string, Omit<Case, 'parameters'>] => [`${status}`, { answer: json(status, {}) }],
	),
	['html', { answer: text(200, '<!doctype html>', 'text/html') }],
	['huge', { answer: text(200, ' '.repeat(65 * 1024 * 1024)) }],
	['truncated', { answer: text(200, '{"_id":"1') }],
];

describe('every message stands in docs/messages.md word for word, and says what to do', () => {
	const rows: Array<[string, Case]> = [
		...PARAMETERS,
		...ADDRESSES,
		...BOTH_WAYS.flatMap(
			([name, rest]): Array<[string, Case]> => [
				[`${name}, read`, { parameters: GET, ...rest }],
				[`${name}, create`, { parameters: CREATE, ...rest }],
			],
		),
	];
	test.each(rows)('%s', async (_name, action) => {
		const { message, description } = await messageOf(action);
		expectInTable(message);
		expect(description).toMatch(/.{10,}/);
	});

	test('https to a port for http', async () => {
		await withFaultServer(FINE, async ({ url }) => {
			const credential = { productionBaseUrl: url.replace('http:', 'https:') };
			expectInTable((await runError({ parameters: GET, credential })).message);
		});
	});

	test('a certificate nobody trusts', async () => {
		const server = createTlsServer(selfSigned).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const credential = { productionBaseUrl: `https://127.0.0.1:${port}` };
		expectInTable((await messageOf({ parameters: GET, credential })).message);
		server.close();
	});

	test("n8n's own protection, which these tests do not switch on", () => {
		const call = { method: 'GET', subject: 'share', environment: 'production' } as const;
		expectInTable(explain(call, { kind: 'network', code: 'SSRF_BLOCKED' }).message);
	});

	test('a cancelled execution', async () => {
		let cancel = () => {};
		time.onSleep = () => cancel();
		await withFaultServer(json(429, {}), async ({ url }) => {
			const { error } = await runAction({
				parameters: GET,
				credential: { productionBaseUrl: url },
				onStart: (stop) => (cancel = stop),
			});
			expectInTable(error?.message ?? '');
		});
	});

	test('the ID of a collection request given as one of a share', async () => {
		const answer: Answer = (response, request, index) =>
			json(request.url.includes('/share/') ? 404 : 200, { _id: '1' })(response, request, index);
		const parameters = { ...SHARE, shareBy: 'shareId', shareId: '1' };
		expectInTable((await messageOf({ parameters, answer })).message);
	});

	test('the ID of a share given as one of a collection request', async () => {
		const answer: Answer = (response, request, index) =>
			json(request.url.includes('/share/') ? 200 : 404, { _id: '1' })(response, request, index);
		expectInTable((await messageOf({ parameters: GET, answer })).message);
	});

	test('a notification that is not verified', async () => {
		const data = { data: Buffer.from('{}').toString('base64'), mimeType: 'application/json' };
		const items = [{ json: {}, binary: { data } }];
		expectInTable((await runError({ parameters: VERIFY, items })).message);
	});

	test('a test notification without a response', async () => {
		await withFaultServer(
			() => time.advance(5_000),
			async ({ url }) => {
				const parameters = { ...SEND_TEST, webhookUrl: url };
				expectInTable((await runError({ parameters })).message);
			},
		);
	});

	test.each([401, 404])('the hint about a test notification that got %i', async (status) => {
		const { task } = await withFaultServer(
			json(status, {}),
			async ({ url }) => await runAction({ parameters: { ...SEND_TEST, webhookUrl: url } }),
		);
		expect(task?.hints).toHaveLength(1);
		expectInTable(task?.hints?.[0]?.message ?? '');
	});

	test.each([
		['nobody invited', {}],
		['fields of no participant', asJson('[{"name":"a","mail":"b"}]')],
		[
			'no webhook',
			{ notify: 'trigger', webhookUrl: 'https://n8n.example.com/1', ...asJson('[{"name":"a"}]') },
		],
	])('the hint about %s', async (_name, parameters) => {
		const { task } = await withFaultServer(FINE, async ({ url }) => {
			const credential = { productionBaseUrl: url };
			return await runAction({ parameters: { ...CREATE, ...parameters }, credential });
		});
		expect(task?.hints).toHaveLength(1);
		expectInTable(task?.hints?.[0]?.message ?? '');
	});

	test('the hint about a test URL', async () => {
		const webhookUrl = HOOK.replace('/webhook/1', '/webhook-test/1');
		const { task } = await withFaultServer(FINE, async ({ url }) => {
			const credential = { productionBaseUrl: url };
			const participant = [{ name: 'a' }];
			const parameters = {
				...CREATE,
				notify: 'trigger',
				webhookUrl,
				participants: { participant },
			};
			return await runAction({ parameters, credential });
		});
		expect(task?.hints).toHaveLength(1);
		expectInTable(task?.hints?.[0]?.message ?? '');
	});

	test('a wait inside an older agent', async () => {
		beforeExecution((context) => {
			const agent = { data: { main: [[]] }, node: { name: 'AI Agent' }, source: null };
			Object.defineProperty(context, 'getExecuteData', { value: () => agent });
		});
		expectInTable((await messageOf({ parameters: WAIT })).message);
		beforeExecution(undefined);
	});

	test('reads that fail before a wait', async () => {
		const hung: Answer = () => time.advance(3_000);
		const { task } = await withFaultServer(hung, async ({ url }) => {
			const credential = { productionBaseUrl: url };
			return await runAction({ parameters: WAIT, credential });
		});
		expect(task?.hints).toHaveLength(1);
		expectInTable(task?.hints?.[0]?.message ?? '');
	});

	test('a wait that nothing ends', async () => {
		putAfterCreate('none');
		const { task } = await withFaultServer(json(200, { _id: '1' }), async ({ url }) => {
			const credential = { productionBaseUrl: url };
			return await runAction({ parameters: WAIT, credential });
		});
		beforeExecution(undefined);
		expect(task?.hints).toHaveLength(1);
		expectInTable(task?.hints?.[0]?.message ?? '');
	});

	test('a trigger on no status', async () => {
		const context = hookContext({ parameters: { triggerOn: 'statuses', shareStatuses: [''] } });
		const error: unknown = await assertReady(context).catch((reason: unknown) => reason);
		expectInTable(error instanceof Error ? error.message : '');
	});

	test('a trigger without webhook secret', async () => {
		const context = hookContext({ credential: { webhookSecret: '' } });
		const error: unknown = await assertReady(context).catch((reason: unknown) => reason);
		expectInTable(error instanceof Error ? error.message : '');
	});

	test('what the test of the credential says', () => {
		const { rules = [] } = new DataCollectionApi().test;
		expect(rules.length).toBeGreaterThan(10);
		for (const { properties } of rules) expectInTable(properties.message);
	});

	test('and the table holds nothing else', () => {
		expect(TABLE.filter((row) => !found.has(row))).toEqual([]);
	});
});
