import fc from 'fast-check';
import type {
	ICredentialDataDecryptedObject,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { parseAddress } from '../../nodes/DataCollection/credential/address.ts';

const action = new DataCollection().description;
const trigger = new DataCollectionTrigger().description;
const credential = new DataCollectionApi();

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const isValue = (option: Option): option is INodePropertyOptions => 'value' in option;
const isField = (option: Option): option is INodeProperties => 'type' in option;
const isGroup = (option: Option): option is INodePropertyCollection => 'values' in option;

const valuesOf = ({ options = [] }: INodeProperties) =>
	options.filter(isValue).map(({ value }) => String(value));

/** Names as a saved workflow holds them, e.g. `filters.requestIds`, without notices. */
function namesOf(properties: INodeProperties[], prefix = ''): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((property) => {
			const name = `${prefix}${property.name}`;
			const options = property.options ?? [];
			return [
				name,
				...namesOf(options.filter(isField), `${name}.`),
				...options
					.filter(isGroup)
					.flatMap((group) => namesOf(group.values, `${name}.${group.name}.`)),
			];
		});
}

const never = (): never => {
	throw new Error('The field is missing');
};

const shownFor = (resource: string, operation: string) =>
	action.properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource) === true &&
			displayOptions.show.operation?.includes(operation) === true,
	);

function selector(resource: string): INodeProperties {
	const found = action.properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(resource),
	);
	if (found === undefined) throw new Error(`No operation selector for ${resource}`);
	return found;
}

describe('selectors and implementations', () => {
	const resourceSelector = action.properties.find(({ name }) => name === 'resource');

	test('every resource that can be selected is implemented, and the reverse', () => {
		expect(resourceSelector && valuesOf(resourceSelector)).toEqual(Object.keys(resources));
		expect(resourceSelector?.default).toBe('collectionRequest');
	});

	test.each(Object.entries(resources))(
		'every operation of %s that can be selected is implemented, and the reverse',
		(resource, operations) => {
			const property = selector(resource);
			expect(valuesOf(property).sort()).toEqual(Object.keys(operations).sort());
			expect(Object.keys(operations)).toContain(property.default);
		},
	);
});

/** Written by hand from the public contract: saved workflows depend on each of these names. */
const PARAMETERS: Record<string, Record<string, string[]>> = {
	collectionRequest: {
		create: [
			'templateId',
			'childAccountId',
			'minimumParticipants',
			'maximumParticipants',
			'participantsMode',
			'participants',
			'participants.participant.name',
			'participants.participant.email',
			'participants.participant.phoneNumber',
			'participants.participant.isAdmin',
			'participantsJson',
			'notify',
			'webhookUrl',
			'output',
			'additionalFields',
			'additionalFields.webhookIdentifier',
			'options',
			'options.concurrency',
			'options.timeout',
		],
		get: ['requestId', 'options', 'options.concurrency', 'options.includeShare', 'options.timeout'],
		getGuestLink: ['requestId'],
		getParticipants: ['requestId', 'include', 'options', 'options.concurrency', 'options.timeout'],
		wait: [
			'requestId',
			'waitForStatuses',
			'limitWaitTime',
			'limitType',
			'resumeAmount',
			'resumeUnit',
			'maxDateAndTime',
			'options',
			'options.includeShare',
		],
	},
	notification: {
		sendTest: ['webhookUrl', 'requestId', 'shareStatus', 'webhookIdentifier'],
		verify: ['binaryPropertyName', 'signature', 'timestamp', 'options', 'options.maximumAge'],
	},
	share: {
		get: [
			'shareBy',
			'requestId',
			'shareId',
			'simplify',
			'options',
			'options.concurrency',
			'options.timeout',
		],
		getAnswers: [
			'shareBy',
			'requestId',
			'shareId',
			'options',
			'options.concurrency',
			'options.timeout',
		],
	},
};

describe('names of the contract', () => {
	const rows = Object.entries(PARAMETERS).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([operation, names]) => ({ resource, operation, names })),
	);

	test.each(rows)('parameters of $resource / $operation', ({ resource, operation, names }) => {
		expect(namesOf(shownFor(resource, operation))).toEqual(names);
	});

	test('every operation has its list', () => {
		const names = (lists: object) => Object.keys(lists).toSorted();
		for (const [resource, operations] of Object.entries(resources)) {
			expect(names(PARAMETERS[resource] ?? {})).toEqual(names(operations));
		}
	});

	test('notifications are not offered to AI agents', () => {
		const resource = action.properties.find(({ name }) => name === 'resource');
		const [option] = (resource?.options ?? [])
			.filter(isValue)
			.filter(({ value }) => value === 'notification');
		expect(option?.displayOptions).toEqual({ show: { '@tool': [false] } });
	});

	test('the action node', () => {
		expect(action).toMatchObject({
			name: 'dataCollection',
			displayName: 'Data Collection',
			version: 1,
			usableAsTool: true,
			credentials: [{ name: 'dataCollectionApi', required: true }],
		});
		const shareBy = shownFor('share', 'get').find(({ name }) => name === 'shareBy');
		expect(shareBy && valuesOf(shareBy)).toEqual(['requestId', 'shareId']);
		const mode = shownFor('collectionRequest', 'create').find(
			({ name }) => name === 'participantsMode',
		);
		expect(mode && valuesOf(mode)).toEqual(['fields', 'json']);
	});

	test('wait is offered to AI tools, and waits for `completed` unless told otherwise', () => {
		const option = selector('collectionRequest')
			.options?.filter(isValue)
			.find(({ value }) => value === 'wait');
		expect(option).toBeDefined();
		expect(option?.displayOptions).toBeUndefined();
		const field = (wanted: string) =>
			shownFor('collectionRequest', 'wait').find(({ name }) => name === wanted);
		expect(field('waitForStatuses')?.default).toEqual(['completed']);
		expect(valuesOf(field('limitType') ?? never())).toEqual([
			'afterTimeInterval',
			'atSpecifiedTime',
		]);
		expect(valuesOf(field('resumeUnit') ?? never())).toEqual([
			'days',
			'hours',
			'minutes',
			'seconds',
		]);
	});

	test('concurrency is 1 to 50, 5 unless set', () => {
		const options = shownFor('share', 'get').find(({ name }) => name === 'options')?.options ?? [];
		expect(options.filter(isField).find(({ name }) => name === 'concurrency')).toMatchObject({
			default: 5,
			typeOptions: { minValue: 1, maxValue: 50 },
		});
	});

	test('the trigger node', () => {
		expect(trigger).toMatchObject({
			name: 'dataCollectionTrigger',
			displayName: 'Data Collection Trigger',
			version: 1.1,
			credentials: [{ name: 'dataCollectionApi', required: true }],
		});
		expect(namesOf(trigger.properties)).toEqual([
			'triggerOn',
			'shareStatuses',
			'filters',
			'filters.requestIds',
			'filters.webhookIdentifiers',
			'options',
			'options.include',
			'options.maximumAge',
			'options.simplify',
		]);
		const options = trigger.properties.find(({ name }) => name === 'options')?.options ?? [];
		const include = options.filter(isField).find(({ name }) => name === 'include');
		expect(valuesOf(include ?? never())).toEqual(['collectionRequest', 'share']);
		expect(include?.default).toEqual([]);
		const triggerOn = trigger.properties.find(({ name }) => name === 'triggerOn');
		expect(triggerOn?.displayName).toBe('Trigger On');
		expect(triggerOn && valuesOf(triggerOn).toSorted()).toEqual([
			'anyEvent',
			'anyStatus',
			'completed',
			'open',
			'statuses',
		]);
		expect(triggerOn?.default).toBe('completed');
	});

	test('the credential', () => {
		expect(credential).toMatchObject({
			name: 'dataCollectionApi',
			displayName: 'Data Collection API',
		});
		expect(namesOf(credential.properties)).toEqual([
			'environment',
			'productionBaseUrl',
			'productionCollectUrl',
			'stagingBaseUrl',
			'stagingCollectUrl',
			'apiKey',
			'tokenId',
			'webhookSecret',
			'previousWebhookSecrets',
		]);
	});

	test('the trigger listens at <n8n>/webhook/<id>/webhook, for POST only', () => {
		expect(trigger.webhooks).toEqual([
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: 'webhook',
			},
		]);
	});
});

describe('the credential', () => {
	const property = (wanted: string) => credential.properties.find(({ name }) => name === wanted);

	test.each(['apiKey', 'tokenId', 'webhookSecret', 'previousWebhookSecrets'])(
		'%s is masked',
		(name) => {
			expect(property(name)?.typeOptions?.password).toBe(true);
		},
	);

	test('previous secrets have several lines, which a single-line field would join', () => {
		expect(property('previousWebhookSecrets')?.typeOptions?.rows).toBe(4);
	});

	test.each(['production', 'staging'])('the %s addresses are shown for it alone', (environment) => {
		for (const name of [`${environment}BaseUrl`, `${environment}CollectUrl`]) {
			expect(property(name)).toMatchObject({
				required: true,
				default: '',
				displayOptions: { show: { environment: [environment] } },
			});
		}
	});

	test('both headers of the API are set, beside what the request has', async () => {
		const request = { url: 'https://api.example.com', headers: { accept: 'text/plain' } };
		const sent = await credential.authenticate(
			{ apiKey: 'the-key', tokenId: 'the-token' },
			request,
		);
		expect(sent).toEqual({
			url: 'https://api.example.com',
			headers: { accept: 'text/plain', Authorization: 'Bearer the-key', tokenId: 'the-token' },
		});
		expect(request.headers).toEqual({ accept: 'text/plain' });
	});

	describe('its test', () => {
		const keys = { apiKey: 'the-key', tokenId: 'the-token' };
		const sentFor = async (fields: ICredentialDataDecryptedObject) =>
			await credential.authenticate({ ...keys, ...fields }, {
				...credential.test.request,
			} as never);

		test('never creates anything: it reads an ID that cannot exist', async () => {
			expect(credential.test.request.method ?? 'GET').toBe('GET');
			const { url } = await sentFor({ productionBaseUrl: 'https://api.example.com/v1/' });
			expect(url).toBe('https://api.example.com/v1/di/collection-request/000000000000000000000000');
		});

		test('reads at the chosen environment', async () => {
			const { url } = await sentFor({
				environment: 'staging',
				stagingBaseUrl: 'https://api.staging.example.com',
				productionBaseUrl: 'https://api.example.com',
			});
			expect(url).toMatch(/^https:\/\/api\.staging\.example\.com\//);
		});

		const address = fc.oneof(
			fc.webUrl({ withFragments: true, withQueryParameters: true }),
			fc.constantFrom(
				'http://0.0.0.0\\.localhost',
				'http://0.0.0.0\\@localhost',
				'http://192.0.2.1/.localhost',
				'http://192.0.2.1\\127.0.0.1',
				'http://user@localhost',
				'http://2130706433',
				'http://[::ffff:127.0.0.1]:4010',
				'http://127.1',
				'https://api.example.com\\v1',
				'https:\\\\api.example.com',
				' https://api.example.com/ ',
				'',
			),
			fc
				.array(
					fc.constantFrom(...'http', ':', '/', '\\', '@', '#', '?', '.', 'localhost', '127.0.0.1'),
				)
				.map((parts) => parts.join('')),
		);

		test('sends the key where the nodes would send it, and nowhere else', async () => {
			await fc.assert(
				fc.asyncProperty(address, async (productionBaseUrl) => {
					const { url, headers } = await sentFor({ productionBaseUrl });
					const parsed = parseAddress(productionBaseUrl);
					if (parsed.ok) expect(url?.startsWith(`${parsed.address}/di/`)).toBe(true);
					else expect({ url, headers }).toEqual({ url: 'data:,refused', headers: undefined });
				}),
				{ numRuns: 1000 },
			);
		});
	});
});
