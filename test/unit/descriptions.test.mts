import type { INode, INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { resources } from '../../nodes/DataCollection/actions/router.ts';

const action = new DataCollection().description;
const trigger = new DataCollectionTrigger().description;
const credential = new DataCollectionApi();

const valuesOf = ({ options = [] }: INodeProperties) =>
	options.flatMap((option) => ('value' in option ? [option.value] : []));

/** Names as stored in a saved workflow, e.g. `filters.requestIds`, with the available values. */
function namesOf(properties: INodeProperties[], prefix = ''): string[] {
	return properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap((property) => {
			const name = `${prefix}${property.name}`;
			const values = valuesOf(property);
			const inner = (property.options ?? []).flatMap((option) => {
				if ('values' in option) return namesOf(option.values, `${name}.${option.name}.`);
				return 'type' in option ? namesOf([option], `${name}.`) : [];
			});
			return [values.length === 0 ? name : `${name}: ${values.join(', ')}`, ...inner];
		});
}

/** Fields of a node or the credential by name; the first if several share a name. */
const fieldsOf = (properties: INodeProperties[]) =>
	Object.fromEntries(properties.toReversed().map((property) => [property.name, property]));

/**
 * Written by hand from the public contract: saved workflows depend on each of these names. Choices
 * follow the colon.
 */
const PARAMETERS: Record<string, Record<string, string>> = {
	collectionRequest: {
		checkStatus: `requestId; checkFor: completed, open, statuses; checkForStatuses;
			options; options.concurrency; options.timeout`,
		create: `templateId; participantsMode: items, fields, json; oneRequestFor: all, group, person;
			groupBy; personName; personEmail; personPhoneNumber; participants;
			participants.participant.name; participants.participant.email;
			participants.participant.phoneNumber; participants.participant.isAdmin; participantsJson;
			output: collectionRequest, participants;
			additionalFields; additionalFields.childAccountId; additionalFields.isAdmin;
			additionalFields.maximumParticipants;
			additionalFields.minimumParticipants; additionalFields.webhookIdentifier;
			notify: trigger, wait, none; webhookUrl;
			options; options.concurrency; options.timeout`,
		get: 'requestId; options; options.concurrency; options.includeShare; options.timeout',
		getGuestLink: 'requestId',
		getParticipants: `requestId; include: all, joined, notJoined;
			options; options.concurrency; options.timeout`,
		getPeopleToRemind: 'requestId; options; options.concurrency; options.timeout',
		wait: `which: requestId, created; requestId; requestId; waitFor: completed, open, statuses;
			waitForStatuses; limitWaitTime; limitType: afterTimeInterval, atSpecifiedTime;
			resumeAmount; resumeUnit: days, hours, minutes, seconds; maxDateAndTime;
			options; options.maximumAge; options.numberToWaitFor`,
	},
	notification: {
		sendTest: `webhookUrl;
			options; options.requestId; options.shareStatus; options.webhookIdentifier`,
		verify: 'options; options.binaryPropertyName; options.maximumAge',
	},
	share: {
		get: `shareBy: requestId, shareId; requestId; shareId; simplify;
			options; options.concurrency; options.timeout`,
		getAnswers: `shareBy: requestId, shareId; requestId; shareId; output: answers, columns;
			options; options.concurrency; options.timeout`,
		getHistory: `shareBy: requestId, shareId; requestId; shareId;
			options; options.concurrency; options.timeout`,
	},
};

const TRIGGER_PARAMETERS = `triggerOn: anyStatus, completed, open, statuses; shareStatuses;
	filters; filters.requestIds; filters.webhookIdentifiers;
	options; options.include: collectionRequest, share; options.unknownEvents;
	options.maximumAge; options.simplify`;

const namesOfText = (text: string) => text.split(/;\s*/);

/** The properties shown for a resource, or for one of its operations if given. */
const shownFor = (resource: string, operation?: string) =>
	action.properties.filter(({ displayOptions: { show } = {} }) => {
		const shows = (selector: 'resource' | 'operation', value?: string) =>
			value === undefined ? show?.[selector] === undefined : show?.[selector]?.includes(value);
		return shows('resource', resource) && shows('operation', operation);
	});

test('every resource that can be selected is implemented, and the reverse', () => {
	const { resource } = fieldsOf(action.properties);
	expect(resource && valuesOf(resource)).toEqual(Object.keys(resources));
	expect(resource?.default).toBe('collectionRequest');
});

describe.each(Object.entries(resources))('%s', (resource, operations) => {
	const [selector, ...others] = shownFor(resource);

	test('every operation that can be selected is implemented, and the reverse', () => {
		expect([selector?.name, others]).toEqual(['operation', []]);
		expect(selector && valuesOf(selector).toSorted()).toEqual(Object.keys(operations).toSorted());
		expect(Object.keys(operations)).toContain(selector?.default);
	});

	test.each(Object.keys(operations))('%s has the parameters that never change', (operation) => {
		const names = namesOf(shownFor(resource, operation));
		const known = PARAMETERS[resource]?.[operation];
		const missing = `Add to PARAMETERS in this file: ${operation}: '${names.join('; ')}',`;
		expect(namesOfText(known ?? missing)).toEqual(names);
	});
});

/** The names of the fields that n8n shows for these parameters. */
const shownWith = (parameters: INodeParameters, description = action) => {
	const all = { resource: 'collectionRequest', ...parameters };
	const node = { typeVersion: 1.1, type: `n8n-nodes-data-collection.${description.name}` };
	return action.properties
		.filter((field) => NodeHelpers.displayParameter(all, field, node as never, description))
		.map(({ name }) => name);
};

test.each<[INodeParameters, shown: string[], hidden: string[]]>([
	[
		{ operation: 'wait', which: 'created', limitWaitTime: false },
		['limitWaitTime', 'noLimitNotice'],
		['requestId', 'resumeUnit', 'limitNotice'],
	],
	[{ operation: 'wait', which: 'requestId' }, ['requestId'], ['templateId']],
	[
		{ operation: 'wait', limitWaitTime: true, limitType: 'afterTimeInterval' },
		['limitNotice', 'resumeAmount', 'resumeUnit'],
		['maxDateAndTime', 'noLimitNotice'],
	],
	[
		{ operation: 'wait', limitWaitTime: true, limitType: 'atSpecifiedTime' },
		['maxDateAndTime'],
		['resumeAmount', 'resumeUnit'],
	],
	[{ operation: 'create', notify: 'trigger' }, ['webhookUrl'], ['which', 'limitWaitTime']],
	[{ operation: 'create', notify: 'none' }, ['notify'], ['webhookUrl']],
])('the panel for %j shows %j and hides %j', (parameters, shown, hidden) => {
	const fields = shownWith(parameters);
	expect([...shown, ...hidden].filter((name) => fields.includes(name))).toEqual(shown);
});

test.each([
	['share', 'get', 'get share'],
	['collectionRequest', 'wait', 'wait for collection request'],
	['collectionRequest', 'getPeopleToRemind', 'get people to remind'],
])('the canvas shows what %s > %s does: %s', (resource, operation, shown) => {
	const nodeTypes = { getByNameAndVersion: () => new DataCollection() } as never;
	const about = { id: '1', name: 'Node', type: action.name, typeVersion: 1.1 };
	const node: INode = { ...about, position: [0, 0], parameters: { resource, operation } };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { expression } = workflow;
	expect(expression.getSimpleParameterValue(node, action.subtitle, 'internal', {})).toBe(shown);
});

test('a tool has one output: nothing in the panel of its Wait speaks of another one', () => {
	const tool = { ...action, name: `${action.name}Tool` };
	for (const limitWaitTime of [true, false]) {
		const fields = shownWith({ operation: 'wait', limitWaitTime }, tool);
		expect(fields).toContain('limitWaitTime');
		expect(fields.filter((name) => name.endsWith('Notice'))).toEqual([]);
	}
	const { limitWaitTime } = fieldsOf(action.properties);
	expect(limitWaitTime?.description).toBe('Whether to stop waiting after a certain time');
});

describe('names of the contract', () => {
	test('notifications are not offered to AI agents, and everything else is', () => {
		const selectors = action.properties.filter(({ name }) => /^(resource|operation)$/.test(name));
		const hidden = selectors
			.flatMap(({ options = [] }) => options)
			.filter((option) => 'displayOptions' in option);
		expect(hidden).toMatchObject([
			{ value: 'notification', displayOptions: { show: { '@tool': [false] } } },
		]);
	});

	const CREDENTIALS = [{ name: 'dataCollectionApi', required: true }];
	const identityOf = ({ name, displayName, version, credentials }: INodeTypeDescription) =>
		[name, displayName, version, credentials] as const;
	const optionsOf = ({ options }: Record<string, INodeProperties>) =>
		fieldsOf((options?.options ?? []) as INodeProperties[]);

	test('the action node, and what holds unless told otherwise', () => {
		expect(identityOf(action)).toEqual(['dataCollection', 'Data Collection', 1.1, CREDENTIALS]);
		expect(action.usableAsTool).toBe(true);
		const { waitFor } = fieldsOf(shownFor('collectionRequest', 'wait'));
		expect(waitFor?.default).toBe('completed');
		const requestIds = ['collectionRequest', 'share'].flatMap((resource) =>
			action.properties.filter(({ name, displayOptions: { show } = {} }) => {
				return name === 'requestId' && show?.resource?.includes(resource);
			}),
		);
		const defaults = new Set(requestIds.map((field) => field.default));
		expect(defaults).toEqual(new Set(['={{ $json.requestId }}']));
		const { concurrency } = optionsOf(fieldsOf(shownFor('share', 'get')));
		const limits = { default: 5, typeOptions: { minValue: 1, maxValue: 50 } };
		expect(concurrency).toMatchObject(limits);
	});

	test('the trigger node, and what holds unless told otherwise', () => {
		const name = 'Data Collection Trigger';
		expect(identityOf(trigger)).toEqual(['dataCollectionTrigger', name, 1.1, CREDENTIALS]);
		expect(namesOf(trigger.properties)).toEqual(namesOfText(TRIGGER_PARAMETERS));
		const fields = fieldsOf(trigger.properties);
		expect(fields.triggerOn).toMatchObject({ displayName: 'Trigger On', default: 'completed' });
		expect(optionsOf(fields).include?.default).toEqual([]);
	});

	test('the trigger listens at <n8n>/webhook/<id>/webhook, for POST only', () => {
		const responds = { responseMode: 'onReceived', responseData: '' };
		const listens = { name: 'default', httpMethod: 'POST', path: 'webhook' };
		expect(trigger.webhooks).toEqual([{ ...listens, ...responds }]);
	});

	test('the credential, which masks what is secret', () => {
		const { name, displayName, properties } = credential;
		expect([name, displayName]).toEqual(['dataCollectionApi', 'Data Collection API']);
		const addresses = [
			'productionBaseUrl',
			'productionCollectUrl',
			'stagingBaseUrl',
			'stagingCollectUrl',
		];
		const secrets = ['apiKey', 'tokenId', 'webhookSecret', 'previousWebhookSecrets'];
		const environments = 'environment: practice, production, staging';
		const names = [environments, 'practiceUrl', ...addresses, ...secrets];
		expect(namesOf(properties)).toEqual(names);
		const masked = properties.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(masked.map((property) => property.name)).toEqual(secrets);
		// A single-line field would join the lines.
		expect(masked.at(-1)?.typeOptions?.rows).toBe(4);
		const shown = ['production', 'production', 'staging', 'staging'].map((environment) => {
			const displayOptions = { show: { environment: [environment] } };
			return { required: true, default: '', displayOptions };
		});
		const fields = properties.filter((property) => addresses.includes(property.name));
		expect(fields).toMatchObject(shown);
	});
});
