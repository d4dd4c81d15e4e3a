import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { MADE_UP_ID } from '../../nodes/DataCollection/service/collectionRequest.ts';
import { containing, matching } from '../support/matchers.mts';
import { putIntoAgent, runError, stopExecution, type ActionRun } from './support/engine.mts';
import { json, text, type Answer } from './support/faultServer.mts';
import { createFor, runFlow } from './support/flow.mts';
import { useVirtualTime } from './support/virtualTime.mts';

// Every message says what happened, and its description what to do.

const time = useVirtualTime();

async function explained(run: ActionRun) {
	const error = await runError(run);
	expect(error.description).toMatch(/.{10,}/);
	return error;
}

const READ = { resource: 'collectionRequest', operation: 'get', requestId: '1' };
const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
const NOTHING = '={{ $json.nothing }}';
const get = (more: INodeParameters) => ({ ...READ, ...more });
const create = (more: INodeParameters) => ({ ...CREATE, ...more });
const people = (participantsJson: string) => create({ participantsMode: 'json', participantsJson });
const SHARE = { resource: 'share', operation: 'get', shareBy: 'requestId', requestId: '1' };
const share = (more: INodeParameters) => ({ ...SHARE, ...more });
const wait = (more: INodeParameters) => get({ operation: 'wait', which: 'requestId', ...more });
const waitFor = (waitForStatuses: string) => wait({ waitFor: 'statuses', waitForStatuses });
const NO_GUEST_LINK =
	"Request ID is a link, but not a guest link that starts with the credential's Collect URL";

test('behind an email, which drops the request ID, a message says where to take it from', async () => {
	const byRequestId = { operation: 'wait', which: 'requestId' };
	const second = { ...createFor(1), templateId: '=x{{ $json.requestId }}' };
	const nodes = { First: createFor(1), Second: second, Wait: byRequestId };
	const { error } = await runFlow({
		rows: ['A'],
		nodes: { ...nodes, Get: { operation: 'get' } },
		edges: ['Trigger -> Rows -> First -> Second -> Wait -> Email -> Get'],
		statuses: { xA: 'completed' },
	});
	const take = `use {{ $('Second').item.json.requestId }} to take it from "Second".`;
	expect(error).toMatchObject({ message: 'Request ID is empty', description: containing(take) });
});

/** What is wrong is found before anything is sent. Values of people and the credential are in the unit tests. */
test.each<[string | RegExp, INodeParameters, ICredentialDataDecryptedObject?]>([
	['Request ID is empty', get({ requestId: NOTHING })],
	['Request ID is not text', get({ requestId: '={{ ({}) }}' })],
	['Share ID is empty', share({ shareBy: 'shareId', shareId: ' ' })],
	[NO_GUEST_LINK, get({ requestId: 'https://elsewhere.example/request/r1' })],
	[NO_GUEST_LINK, get({ requestId: 'https://collect.example.com/other/r1' })],
	[NO_GUEST_LINK, get({ requestId: 'https://collect.example.com/request/%' })],
	['Template ID is empty', create({ templateId: ' ' })],
	['Include Share is empty', get({ options: { includeShare: NOTHING } })],
	['Simplify is empty', share({ simplify: NOTHING })],
	['Simplify is not true or false: on', share({ simplify: '={{ "on" }}' })],
	['Simplify is not true or false: ""', share({ simplify: '={{ "" }}' })],
	[
		'Report Status Changes To is not one of its choices: undefined',
		create({ notify: NOTHING, webhookUrl: 'https://n8n.example.com/webhook/1' }),
	],
	['Webhook URL is empty', create({ notify: 'trigger', webhookUrl: NOTHING })],
	[
		'Webhook URL is not an absolute http(s) address',
		create({ notify: 'trigger', webhookUrl: 'n8n.example.com/webhook/1' }),
	],
	[
		'Minimum Participants is not a whole number of 0 or more: 1.5',
		create({ additionalFields: { minimumParticipants: 1.5 } }),
	],
	[
		'Maximum Participants is not a whole number of 0 or more: -1',
		create({ additionalFields: { maximumParticipants: -1 } }),
	],
	[
		'Maximum Participants is not a whole number of 0 or more: 1152921504606847000',
		create({ additionalFields: { maximumParticipants: '={{ 2 ** 60 }}' } }),
	],
	[
		'Minimum Participants (5) is above Maximum Participants (4)',
		create({ additionalFields: { minimumParticipants: 5, maximumParticipants: 4 } }),
	],
	[
		'More people are invited (2) than Maximum Participants (1) allows',
		{ ...people('a@example.com, b@example.com'), additionalFields: { maximumParticipants: 1 } },
	],
	['Participants is empty', create({ participants: NOTHING })],
	['Participants is empty', create({ participants: { participant: NOTHING } })],
	['Participants is not a list', create({ participants: '={{ ({ name: "Ada" }) }}' })],
	[/^Participants is not valid JSON: /, create({ participants: '={{ "[Ada" }}' })],
	['Participant 1 has no valid email: Ada', create({ participants: '={{ "Ada" }}' })],
	['Participants (JSON) is empty', people(NOTHING)],
	[/^Participants \(JSON\) is not valid JSON: Unexpected token '''/, people('[{\n"name": \'a\'}]')],
	[/^Participants \(JSON\) is not valid JSON: .*position 2/, people('[{')],
	// n8n rewords a message that has the name of an error code in it.
	['Participant 1 has no valid email: ENOENT', people('ENOENT')],
	['Concurrency is not a whole number from 1 to 50: 51', create({ options: { concurrency: 51 } })],
	['Timeout is not a number from 0.01 to 3600: 0', create({ options: { timeout: 0 } })],
	['Wait for Statuses is empty', waitFor('={{ [] }}')],
	['Wait for Statuses is not a list of texts', waitFor('={{ [{}] }}')],
	[
		'Number to Wait For is not a whole number of 1 or more: 0',
		wait({ options: { numberToWaitFor: 0 } }),
	],
	['The operation "__proto__" of "share" is not known', share({ operation: '__proto__' })],
	[
		'API Key in the credential contains more than the key (white space or an invisible character): enter the key alone',
		READ,
		{ apiKey: 'pasted\u200bkey' },
	],
	[
		'The API Base URL (staging) is empty. The Collect URL (staging) is empty',
		READ,
		{ environment: 'staging' },
	],
	[
		'The API Base URL (production) must not contain a user name or password',
		READ,
		{ productionBaseUrl: 'https://user:password1@api.example.com' },
	],
])('%s: %#', async (wanted, parameters, credential = {}) => {
	const error = await explained({ parameters, credential, answer: json(200, { _id: '1' }) });
	const message = typeof wanted === 'string' ? wanted : matching(wanted);
	expect(error).toMatchObject({ name: 'NodeOperationError', itemIndex: 0, message, sent: 0 });
	expect(JSON.stringify(error)).not.toContain('password1');
});

const page = '<!doctype html><title>Log in</title><p>secret page</p>';
const webPage = (status: number) => text(status, page, { 'content-type': 'text/html' });
const cutShort =
	(headers: Record<string, string>): Answer =>
	(response) => {
		response.writeHead(200, headers);
		response.write('{"_id":"1"', () => response.destroy());
	};
const LOST = /^The connection to the service was lost before the response was complete$/;
const NO_ID = /^The service sent an unexpected response without an ID \(HTTP 20[04]\)$/;

/**
 * Faults, of the service or at an address where there is none: how often a read is sent, and whether
 * a create may exist afterwards, which is then sent only once. For all others: test/unit/failure.test.mts.
 */
test.each<[string, Answer | string, reads: 1 | 3, mayExist: boolean, RegExp]>([
	['an unknown host', 'https://nothing.invalid', 1, false, /^The host of the .* was not found$/],
	['nobody who listens', 'http://127.0.0.1:9', 3, false, /could not be reached at http:.*:9$/],
	['another protocol', ({ socket }) => void socket?.end('SSH-2\r\n'), 3, true, /^Something other/],
	['no headers in time', () => time.advance(30_000), 3, true, /did not respond in time$/],
	['a reset', ({ socket }) => void socket?.resetAndDestroy(), 3, true, LOST],
	['a close without a byte', ({ socket }) => void socket?.end(), 3, true, LOST],
	['a body shorter than promised', cutShort({ 'content-length': '99' }), 3, true, LOST],
	['a chunked body that breaks off', cutShort({}), 3, true, LOST],
	['HTTP 302', json(302, {}), 1, true, /^The service responded with a redirect, which is not foll/],
	['HTTP 429', json(429, {}), 3, false, /^The service received too many requests \(HTTP 429\)$/],
	['HTTP 500', webPage(500), 3, true, /^Something went wrong inside the service \(HTTP 500\)$/],
	['a web page', webPage(200), 1, true, /^The service responded with a web page instead of data/],
	['HTTP 204', (response) => response.writeHead(204).end(), 1, true, NO_ID],
	['null', json(200, null), 1, true, NO_ID],
	['a list', json(200, [{ _id: '1' }]), 1, true, NO_ID],
	['cut-off JSON', text(200, '{"_id":"1","title":"x'), 1, true, NO_ID],
	['no _id', json(200, { title: 'x' }), 1, true, NO_ID],
	['a numeric _id', json(200, { _id: 1 }), 1, true, NO_ID],
	['an empty _id', json(200, { _id: '' }), 1, true, NO_ID],
	['_id only as inherited name', text(200, '{"__proto__":{"_id":"1"}}'), 1, true, NO_ID],
])('%s, after a read and after a create', async (_title, fault, reads, mayExist, message) => {
	const isAddress = typeof fault === 'string';
	const service = isAddress ? { credential: { productionBaseUrl: fault } } : { answer: fault };
	for (const parameters of [READ, CREATE]) {
		const isOpen = mayExist && parameters === CREATE;
		time.slept = [];
		const error = await explained({ parameters, ...service });
		const [said, ...doubts] = error.message.split('. ');
		expect(said).toMatch(message);
		expect(doubts).toEqual(isOpen ? ['The collection request may have been created anyway'] : []);
		expect(error).toMatchObject({ name: 'NodeApiError', itemIndex: 0 });
		expect(JSON.stringify(error)).not.toContain('secret page');
		const attempts = isOpen ? 1 : reads;
		expect([time.slept.length, error.sent]).toEqual([attempts - 1, isAddress ? 0 : attempts]);
	}
});

test.each<[RegExp, ActionRun, advice: RegExp]>([
	[
		/^The collection request "1" has no share/,
		{ parameters: share({}), answer: json(200, { _id: '1' }) },
		/Done of a Wait.*Include Share/,
	],
	[
		/the share "1" \(HTTP 404\)$/,
		{ parameters: share({ shareBy: 'shareId', shareId: '1' }), answer: json(404, {}) },
		/Get By to Request ID.*environment/,
	],
	[
		/the collection request "1" \(HTTP 404\)$/,
		{ parameters: READ, answer: json(404, {}) },
		/^Each account and environment knows only its own.*production.*request ID/,
	],
	[
		/^This was a test notification/,
		{ parameters: get({ requestId: MADE_UP_ID }), answer: json(404, {}) },
		/real one/,
	],
	// n8n rewords a message that has the name of an error code in it.
	[
		/^The service does not know .* "xEPERMx" \(/,
		{ parameters: get({ requestId: 'xEPERMx' }), answer: json(404, {}) },
		/./,
	],
	[
		/^The credential has no webhook secret: enter one in the Data Collection API credential$/,
		{
			parameters: create({ notify: 'trigger', webhookUrl: 'https://n8n.example.com/webhook/1' }),
			credential: { webhookSecret: '' },
		},
		/choose Nobody under Report Status Changes To/,
	],
	[
		/^The service cannot reach the webhook URL: /,
		{ parameters: create({ notify: 'trigger', webhookUrl: 'http://127.1/webhook/1/webhook' }) },
		/ N8N_WEBHOOK_URL /,
	],
	[
		/: mail$/,
		{ parameters: people('[{ "mail": "zoe" }]') },
		/knows name, email, phoneNumber and isAdmin/,
	],
	[
		/^Request ID is a link/,
		{ parameters: get({ requestId: 'https://a.example.com/request/1' }) },
		/collect\.example\.com\/request\//,
	],
	[
		/^The raw body could not be read$/,
		{
			parameters: { resource: 'notification', operation: 'verify' },
			items: [
				{ json: {}, binary: { data: { data: 'other', id: 'other:1', mimeType: 'text/plain' } } },
			],
		},
		/./,
	],
])('%s says what to do', async (message, run, advice) => {
	const said = { message: matching(message), description: matching(advice), itemIndex: 0 };
	expect(await explained(run)).toMatchObject(said);
});

test('an execution that is cancelled during a pause says so', async () => {
	time.onSleep = stopExecution;
	const { message } = await explained({ parameters: READ, answer: json(429, {}) });
	expect(message).toBe('The execution was cancelled');
});

test('inside an older agent, Wait is refused', async () => {
	putIntoAgent();
	const { message } = await explained({ parameters: wait({}) });
	expect(message).toMatch(/^A tool cannot wait /);
});

test('the test of the credential passes for each status with which a service may refuse the ID', () => {
	const { ignoreHttpStatusErrors, disableFollowRedirect } = new DataCollectionApi().test.request;
	const { except = [] } = ignoreHttpStatusErrors as { except?: number[] };
	const all = Array.from({ length: 400 }, (_, index) => 200 + index);
	expect(all.filter((code) => !except.includes(code))).toEqual([400, 404, 410, 422]);
	expect(disableFollowRedirect).toBe(true);
});

test('what the test of the credential says about each status, for which n8n would show the text that came with it, and about a body', () => {
	const { rules = [], request } = new DataCollectionApi().test;
	const texts = Object.fromEntries(
		rules.map(({ properties: { value, message } }) => [String(value), message]),
	);
	// Whether a service refuses the ID with one of these, nobody knows. The keys were accepted.
	expect(['400', '410', '422'].filter((code) => code in texts)).toEqual([]);
	const { except = [] } = request.ignoreHttpStatusErrors as { except?: number[] };
	expect(except.filter((code) => !(code in texts))).toEqual([]);
	expect(texts).not.toHaveProperty('{');
	expect(texts).toMatchObject({
		200: matching(/cannot exist, or with a web page instead of data: check the API Base URL/),
		302: matching(/redirect.*Enter the address that it points to/),
		401: matching(/^The API key or the token ID was refused\. Check both/),
		403: matching(/Check/),
		404: matching(/^Publish the workflow of the practice service/),
		405: matching(/^The service refused the request \(HTTP 405\): check the API Base URL/),
		429: matching(/too many requests\. Try again in a minute\.$/),
		500: matching(/^Something went wrong inside the service \(HTTP 500\)\. Try again later\.$/),
		503: matching(/Try again later\.$/),
		...Object.fromEntries(
			['<', '[', 'undefined'].map((beginning) => [
				beginning,
				matching(/^Something other than the service responded, .* check the API Base URL/),
			]),
		),
	});
});
