import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_BLANKING_VALUE } from 'n8n-workflow';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { explain } from '../../nodes/DataCollection/service/errors.ts';
import { MADE_UP_ID } from '../../nodes/DataCollection/service/guestLink.ts';
import type { ActionRun } from './support/engine.mts';
import { putIntoAgent, runError, stopExecution } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, text } from './support/faultServer.mts';
import { matching } from '../support/matchers.mts';
import { CREATE, MAY_EXIST, READ } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const SHARE = { resource: 'share', operation: 'get', shareBy: 'requestId', requestId: '1' };
const VERIFY = { resource: 'notification', operation: 'verify' };
const SEND_TEST = { ...VERIFY, operation: 'sendTest', requestId: '1' };
const WAIT = { ...READ, operation: 'wait', which: 'requestId' };
const STATUSES = { waitFor: 'statuses', waitForStatuses: ['complete'] };
const HOOK = 'https://n8n.example.com/webhook/1/webhook';

type Fields = ICredentialDataDecryptedObject;
const get = (requestId: string) => ({ parameters: { ...READ, requestId } });
const create = (parameters: INodeParameters, credential?: Fields) => ({
	parameters: { ...CREATE, ...parameters },
	credential,
});
const limits = (additionalFields: INodeParameters, people: INodeParameters[] = []) =>
	create({ additionalFields, participants: { participant: people } });
const minimum = (minimumParticipants: INodeParameters[string]) => limits({ minimumParticipants });
const maximum = (maximumParticipants: INodeParameters[string]) => limits({ maximumParticipants });
const entries = (...participant: INodeParameters[]) => create({ participants: { participant } });
const list = (participantsJson: string) => create({ participantsMode: 'json', participantsJson });
const notify = (webhookUrl: string, credential?: Fields) =>
	create({ notify: 'trigger', webhookUrl }, credential);
const wait = (parameters: INodeParameters) => ({ parameters: { ...WAIT, ...parameters } });
const operation = (name: string) => ({ parameters: { resource: 'share', operation: name } });

const NOT_GUEST_LINK =
	"Request ID is a link, but not a guest link that starts with the credential's Collect URL";
const NOT_WHOLE = 'Participants is not a whole number of 0 or more';
const NOT_ABSOLUTE = 'Webhook URL is not an absolute http(s) address';
const NO_SECRET =
	'The credential has no webhook secret: enter one in the Data Collection API credential';
const NO_ENVIRONMENT = 'Environment in the credential is not one of its choices';
const NOTHING = '={{ $json.nothing }}';
const PUBLIC = { productionBaseUrl: 'https://api.example.com' };

/** Runs that must fail before they reach the service, by their message. */
const REFUSED: Array<[message: string | RegExp, run: ActionRun]> = [
	['Request ID is empty', get(NOTHING)],
	['Request ID is not text', get('={{ ({}) }}')],
	['Share ID is empty', { parameters: { ...SHARE, shareBy: 'shareId', shareId: ' ' } }],
	[NOT_GUEST_LINK, get('https://elsewhere.example/request/r1')],
	[NOT_GUEST_LINK, get('https://collect.example.com/other/r1')],
	[NOT_GUEST_LINK, get('https://collect.example.com/request/%')],
	['Template ID is empty', create({ templateId: ' ' })],
	['Template ID is empty', create({ templateId: NOTHING })],
	['Template ID is not text', create({ templateId: '={{ ({}) }}' })],
	['Child Account ID is empty', limits({ childAccountId: NOTHING })],
	['Webhook URL is empty', notify(NOTHING)],
	['Include Share is empty', { parameters: { ...READ, options: { includeShare: NOTHING } } }],
	['Simplify is empty', { parameters: { ...SHARE, simplify: NOTHING } }],
	['Participants is empty', create({ participants: NOTHING })],
	['Participants is empty', create({ participants: { participant: NOTHING } })],
	['Participants (JSON) is empty', list(NOTHING)],
	[NO_ENVIRONMENT, create({}, { environment: NOTHING })],
	['Simplify is not true or false: on', { parameters: { ...SHARE, simplify: '={{ "on" }}' } }],
	['Simplify is not true or false: {}', { parameters: { ...SHARE, simplify: '={{ ({}) }}' } }],
	['Simplify is not true or false: ""', { parameters: { ...SHARE, simplify: '={{ "" }}' } }],
	['Output is not one of its choices: "participant"', create({ output: '={{ "participant" }}' })],
	[
		'Report Status Changes To is not one of its choices: undefined',
		create({ notify: '={{ $json.nothing }}', webhookUrl: HOOK }),
	],
	['Specify Participants is not one of its choices: "JSON"', create({ participantsMode: 'JSON' })],
	[`Minimum ${NOT_WHOLE}: 1.5`, minimum(1.5)],
	[`Maximum ${NOT_WHOLE}: -1`, maximum(-1)],
	[`Maximum ${NOT_WHOLE}: 1152921504606847000`, maximum('={{ 2 ** 60 }}')],
	[
		'Minimum Participants (5) is above Maximum Participants (4)',
		limits({ minimumParticipants: 5, maximumParticipants: 4 }),
	],
	[
		'More people are invited (2) than Maximum Participants (1) allows',
		limits({ maximumParticipants: 1 }, [{ name: 'Ada' }, { email: 'b@example.com' }]),
	],
	['Is Admin of participant 1 is not true or false: x', list('[{ "name": "A", "isAdmin": "x" }]')],
	['Name of participant 1 is not text', list('[{ "name": { "first": "Ada" } }]')],
	['Participant 2 is empty', entries({ email: 'a@example.com' }, { isAdmin: true })],
	[
		'Participant 2 has unknown fields: mail, lang',
		list('[{ "name": "Ada" }, { "name": "Zoe", "mail": "zoe@example.com", "lang": "de" }]'),
	],
	['Participant 2 has no valid email: b', list('[{ "name": "a" }, "b"]')],
	['Participant 2 is not an object', list('[{ "name": "a" }, 7]')],
	['Participants (JSON) is not a list', list('{}')],
	['Participants is not a list', create({ participants: '={{ ({ name: "Ada" }) }}' })],
	[/^Participants is not valid JSON: /, create({ participants: '={{ "[Ada" }}' })],
	['Participant 1 has no valid email: Ada', create({ participants: '={{ "Ada" }}' })],
	[/^Participants \(JSON\) is not valid JSON: Unexpected token '''/, list('[{\n"name": \'a\'}]')],
	[/^Participants \(JSON\) is not valid JSON: .*position 2/, list('[{')],
	// n8n rewords a message that has the name of an error code in it.
	['Participant 1 has no valid email: ENOENT', list('ENOENT')],
	[NOT_ABSOLUTE, notify('n8n.example.com/webhook/1')],
	[NO_SECRET, notify(HOOK, { webhookSecret: '' })],
	// The service would get no secret.
	[
		NO_SECRET,
		notify(HOOK, { webhookSecret: '', previousWebhookSecrets: 'an older secret that is long' }),
	],
	[
		'A webhook secret was lost when the credential was edited',
		notify(HOOK, { webhookSecret: `${CREDENTIAL_BLANKING_VALUE}x` }),
	],
	[/^The service cannot reach the webhook URL: /, notify('http://127.1/webhook/1', PUBLIC)],
	['Concurrency is not a whole number from 1 to 50: 51', create({ options: { concurrency: 51 } })],
	['Timeout is not a number from 0.01 to 3600: 0', create({ options: { timeout: 0 } })],
	['Participants has entries, but all are empty', list('[{}, { "email": " " }]')],
	['Wait for Statuses is empty', wait({ ...STATUSES, waitForStatuses: '={{ [] }}' })],
	[
		'Wait for Statuses is not a list of texts',
		wait({ ...STATUSES, waitForStatuses: '={{ [{}] }}' }),
	],
	[
		'API Key in the credential contains an invisible character: enter the key alone',
		create({}, { apiKey: 'pasted\u200bkey' }),
	],
	[
		'Token ID in the credential is not text: enter the token ID as text',
		create({}, { tokenId: '={{ ["a list"] }}' }),
	],
	[/^API Key in the credential is empty: enter /, create({}, { apiKey: '' })],
	[
		'Token ID in the credential contains "Bearer": enter the token ID alone',
		create({}, { tokenId: 'Bearer x' }),
	],
	[
		'Webhook Secret in the credential is too short: use at least 16 characters',
		notify(HOOK, { webhookSecret: 'x' }),
	],
	['Amount is not a number of 0.01 or more: -1', wait({ limitWaitTime: true, resumeAmount: -1 })],
	['Amount is empty', wait({ limitWaitTime: true, resumeAmount: '={{ $json.nothing }}' })],
	[
		'Max Date and Time is not a valid date',
		wait({ limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }),
	],
	['The raw body is missing: the item has no binary field "data"', { parameters: VERIFY }],
	['The operation "destroy" of "share" is not known', operation('destroy')],
	['The operation "__proto__" of "share" is not known', operation('__proto__')],
	[
		'The API Base URL (staging) is empty. The Collect URL (staging) is empty',
		create({}, { environment: 'staging' }),
	],
	[
		'The API Base URL (production) must not contain a user name or password',
		create({}, { productionBaseUrl: 'https://user:password1@api.example.com' }),
	],
];

const HTML = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><title>Log in</title><p>secret page</p>';
const cutShort =
	(headers: Record<string, string>): Answer =>
	(response) => {
		response.writeHead(200, headers);
		response.write('{"_id":"1"', () => response.destroy());
	};
const statuses = (...all: number[]) =>
	all.map((status): [string, Answer] => [
		`HTTP ${status}`,
		json(status, {}, { location: '/elsewhere' }),
	]);

/** How often a read is sent. If a create may exist afterwards, it is sent once and says so. */
const REFUSAL = { tries: 1, mayExist: false };
const UNUSABLE = { tries: 1, mayExist: true };
const UNDONE = { tries: 3, mayExist: false };
const UNKNOWN = { tries: 3, mayExist: true };

type Policy = typeof REFUSAL;
/** The service, or an address where there is none, by what happens there. */
const NOBODY = 'http://127.0.0.1:9';

type Meets = Array<[title: string, service: Answer | string]>;

/** Faults that affect a read and a create in the same way, by their message. */
const FAULTS: Array<[message: string | RegExp, Policy, Meets]> = [
	[
		'The host of the API Base URL was not found',
		REFUSAL,
		[['an unknown host', 'https://nothing.invalid']],
	],
	[
		'The service could not be reached at http://127.0.0.1:9',
		UNDONE,
		[['nobody who listens', 'http://127.0.0.1:9']],
	],
	[
		'Something other than the service responds at the API Base URL',
		UNKNOWN,
		[['another protocol', ({ socket }) => void socket?.end('SSH-2.0-OpenSSH\r\n')]],
	],
	[
		'The service did not respond in time',
		UNKNOWN,
		[['headers that do not come within the Timeout', () => time.advance(30_000)]],
	],
	[
		'The connection to the service was lost before the response was complete',
		UNKNOWN,
		[
			['a reset', ({ socket }) => void socket?.resetAndDestroy()],
			['a close without a byte', ({ socket }) => void socket?.end()],
			['a body shorter than promised', cutShort({ 'content-length': '99' })],
			['a chunked body that breaks off', cutShort({})],
		],
	],
	[/^The service refused the request/, REFUSAL, statuses(409, 422)],
	[/^The API key or the token ID was refused/, REFUSAL, statuses(401)],
	[/not allowed to (read|create)/, REFUSAL, statuses(403)],
	[/^The service does not know/, REFUSAL, statuses(404)],
	['The service received too many requests (HTTP 429)', UNDONE, [['HTTP 429', json(429, {})]]],
	[/^The service responded with a redirect, which is not followed/, UNUSABLE, statuses(302, 308)],
	[
		'Something went wrong inside the service (HTTP 500)',
		UNKNOWN,
		[
			['HTTP 500 with JSON', json(500, { message: 'oops' })],
			['HTTP 500 with a web page', text(500, PAGE, HTML)],
		],
	],
	[/^The service is temporarily unavailable/, UNKNOWN, statuses(408, 503)],
	[
		'The service responded with a web page instead of data (HTTP 200)',
		UNUSABLE,
		[['HTTP 200 with a web page', text(200, PAGE, HTML)]],
	],
	[
		/^The service sent an unexpected response without an ID \(HTTP 20[04]\)$/,
		UNUSABLE,
		[
			['HTTP 204', (response) => response.writeHead(204).end()],
			['null', json(200, null)],
			['a list', json(200, [{ _id: '1' }])],
			['cut-off JSON', text(200, '{"_id":"1","title":"x')],
			['no _id', json(200, { title: 'x' })],
			['a numeric _id', json(200, { _id: 1 })],
			['an empty _id', json(200, { _id: '' })],
			['_id only as inherited name', text(200, '{"__proto__":{"_id":"1"}}')],
		],
	],
];

const BY_SHARE = { ...SHARE, shareBy: 'shareId', shareId: '1' };
const UNVERIFIED = { json: {}, binary: { data: { data: 'e30=', mimeType: 'application/json' } } };
const UNREADABLE = {
	json: {},
	binary: { data: { data: 'other', id: 'other:1', mimeType: 'application/json' } },
};
const MANY = Array.from({ length: 101 }, (_, id) => ({ id }));
const at = (parameters: INodeParameters, answer: Answer) => ({ parameters, answer });

type Special = [message: RegExp, run: ActionRun, advice?: RegExp, prepare?: () => void];

/** Faults that occur in one way only, with a word from the advice. */
const SPECIAL: Special[] = [
	[
		/no status changes are reported to this execution$/,
		at(WAIT, json(200, { _id: '1' })),
		/Limit Wait Time/,
	],
	[
		/^Number to Wait For is 2, but the number of collection requests is 1$/,
		at({ ...WAIT, options: { numberToWaitFor: 2 } }, json(200, { _id: '1' })),
	],
	[
		/^Number to Wait For is not /,
		at({ ...WAIT, options: { numberToWaitFor: 0 } }, json(200, { _id: '1' })),
	],
	[/^Wait takes up to 100 /, { ...wait({ requestId: '={{ $json.id }}' }), input: MANY }],
	...['get', 'getAnswers'].flatMap((operation): Special[] => [
		[
			/^The collection.* "1" has no share/,
			at({ ...SHARE, operation }, json(200, { _id: '1' })),
			/Done of a Wait.*Include Share/,
		],
		[
			/the share "1" \(HTTP 404\)$/,
			at({ ...BY_SHARE, operation }, json(404, {})),
			/Get By to Request ID.*environment/,
		],
	]),
	[/^The service refused the request \(HTTP 410\)$/, at(CREATE, json(410, {}))],
	[/the collection request "1" \(HTTP 404\)$/, at(READ, json(404, {})), /Share > Get.*environment/],
	[
		/^The service could not be reached at http:\/\/127\.0\.0\.1:9\/webhook\/practice$/,
		{
			...get('1'),
			credential: { environment: 'practice', practiceUrl: `${NOBODY}/webhook/practice` },
		},
		/Practice Service URL in the credential may have the wrong host or port/,
	],
	[
		/^The service responded with something other than the collection request "1" \(HTTP 200\)$/,
		at(READ, json(200, { _id: '2' })),
		/nothing of it was used/,
	],
	// n8n rewords a message that has the name of an error code in it.
	[/^The service does not know .* "xEPERMx" \(/, { ...get('xEPERMx'), answer: json(404, {}) }],
	[/^This was a test notification/, { ...get(MADE_UP_ID), answer: json(404, {}) }, /real one/],
	[/^The notification was refused/, { parameters: VERIFY, items: [UNVERIFIED] }],
	[/^The raw body could not be read$/, { parameters: VERIFY, items: [UNREADABLE] }],
	[
		/^The webhook URL could not be reached$/,
		{ parameters: { ...SEND_TEST, webhookUrl: NOBODY } },
		/container.*ECONNREFUSED/,
	],
	[
		/^The execution was cancelled$/,
		at(READ, json(429, {})),
		/./,
		() => (time.onSleep = stopExecution),
	],
	[/^A tool cannot wait /, { parameters: WAIT }, /./, () => void putIntoAgent()],
	[
		RegExp(NO_SECRET),
		notify(HOOK, { webhookSecret: '' }),
		/choose Nobody under Report Status Changes To/,
	],
	[
		/^The service cannot reach /,
		notify('http://127.1/webhook/1/webhook', PUBLIC),
		/ N8N_WEBHOOK_URL /,
	],
	[/: mail$/, list('[{ "mail": "zoe" }]'), /knows name, email, phoneNumber and isAdmin/],
	[
		/^Request ID is a link/,
		get('https://a.example.com/request/1'),
		/collect\.example\.com\/request\//,
	],
];

describe('every message says what happened, and then what to do', () => {
	async function expectExplained(run: ActionRun) {
		const error = await runError(run);
		expect(error.message).toMatch(/.{10,}/);
		expect(error.description).toMatch(/.{10,}/);
		return error;
	}

	test.each(REFUSED)('%#: %s, and nothing is sent', async (wanted, run) => {
		const error = await expectExplained({ answer: json(200, { _id: '1' }), ...run });
		const message = typeof wanted === 'string' ? wanted : matching(wanted);
		expect(error).toMatchObject({ name: 'NodeOperationError', itemIndex: 0, message, sent: 0 });
		expect(JSON.stringify(error)).not.toContain('password1');
	});

	describe.each(FAULTS)('%s', (message, { tries, mayExist }, meets) => {
		test.each(meets)('%s, after a read and after a create', async (_title, service) => {
			const isAddress = typeof service === 'string';
			const at = isAddress ? { credential: { productionBaseUrl: service } } : { answer: service };
			for (const parameters of [READ, CREATE]) {
				const isOpen = mayExist && parameters === CREATE;
				time.slept = [];
				const error = await expectExplained({ parameters, ...at });
				const [said, ...doubts] = error.message.split('. ');
				expect(said).toEqual(typeof message === 'string' ? message : matching(message));
				expect(doubts).toEqual(isOpen ? [MAY_EXIST] : []);
				expect(error).toMatchObject({ name: 'NodeApiError', itemIndex: 0 });
				expect(JSON.stringify(error)).not.toContain('secret page');
				const attempts = isOpen ? 1 : tries;
				expect(time.slept).toHaveLength(attempts - 1);
				expect(error.urls).toHaveLength(isAddress ? 0 : attempts);
			}
		});
	});

	test.each(SPECIAL)('%s', async (message, run, advice = /./, prepare) => {
		prepare?.();
		const error = await expectExplained(run);
		const said = { message: matching(message), description: matching(advice) };
		// If there are several items, the last one is at fault.
		expect(error).toMatchObject({ ...said, itemIndex: (run.input ?? [{}]).length - 1 });
	});

	test("n8n's own protection, which these tests do not switch on", () => {
		const call = { method: 'GET', subject: 'share', environment: 'production' } as const;
		const { message } = explain(call, { kind: 'network', code: 'SSRF_BLOCKED' });
		expect(message).toBe('n8n is configured to block requests to the address of the API Base URL');
	});

	test('the test of the credential passes for each status with which a service may refuse the ID', () => {
		const { ignoreHttpStatusErrors, disableFollowRedirect } = new DataCollectionApi().test.request;
		const { except = [] } = ignoreHttpStatusErrors as { except?: number[] };
		const all = Array.from({ length: 400 }, (_, index) => 200 + index);
		expect(all.filter((status) => !except.includes(status))).toEqual([400, 404, 410, 422]);
		expect(disableFollowRedirect).toBe(true);
	});

	test('what the test of the credential says about each status', () => {
		const { rules = [] } = new DataCollectionApi().test;
		const texts = Object.fromEntries(
			rules.map(({ properties: { value, message } }) => [String(value), message]),
		);
		// Whether a service refuses the ID with one of these, nobody knows. The keys were accepted.
		expect(['400', '410', '422'].filter((status) => status in texts)).toEqual([]);
		expect(texts).toMatchObject({
			302: matching(/redirect.*Enter the address that it points to/),
			401: matching(/^The API key or the token ID was refused\. Check both/),
			403: matching(/Check/),
			404: matching(/^Publish the workflow of the practice service/),
			405: matching(/^The service did not understand the request\. Check that/),
			429: matching(/too many requests\. Try again in a minute\.$/),
			500: matching(/^Something went wrong inside the service\. Try again later\./),
			503: matching(/Try again later\.$/),
			200: matching(/cannot exist, or with a web page instead of data\. Check the API Base URL/),
			undefined: matching(/^The service responded with nothing\. Check/),
			'[': matching(/^Something other than the API of the service responded\. Check/),
			'<': matching(/web page instead of data\. Check the API Base URL/),
		});
	});
});
