import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runAction } from './support/engine.mts';
import { json } from './support/faultServer.mts';

// Optional texts and numbers whose cell is empty, or whose expression finds nothing.

const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
const VALUE = '={{ $json.value }}';

/** Creates a collection request for each of these values; also returns the bodies and the hints. */
async function create(values: unknown[], parameters: INodeParameters) {
	const { error, requests, hints } = await runAction({
		parameters: { ...CREATE, ...parameters },
		input: values.map((value) => ({ value }) as IDataObject),
		answer: json(201, { _id: 'r1' }),
	});
	expect(error).toBeUndefined();
	const messages = hints.map(({ message }) => message);
	return {
		bodies: requests.map(({ body }) => JSON.parse(body) as object),
		hints: messages.filter((message) => message.includes('is not set')),
	};
}

test('an empty text, white space, null and nothing are as good as no option', async () => {
	const { bodies, hints } = await create(['', ' \u200b', null, undefined], {
		additionalFields: { minimumParticipants: VALUE, webhookIdentifier: VALUE },
		options: { timeout: VALUE },
	});
	const defaults = { templateId: 't1', minimumParticipants: 1, maximumParticipants: 10 };
	expect(bodies).toEqual([defaults, defaults, defaults, defaults]);
	// If the expression finds nothing, that may be a mistake.
	expect(hints).toEqual([
		'Minimum Participants is not set for item 4: the expression finds nothing there',
		'Webhook Identifier is not set for item 4: the expression finds nothing there',
		'Timeout is not set for item 4: the expression finds nothing there',
	]);
});

test('of many items, the hint names the first ten; an option for all items names the first', async () => {
	const { hints } = await create(Array(12).fill(undefined), {
		additionalFields: { webhookIdentifier: VALUE },
		options: { concurrency: VALUE },
	});
	expect(hints).toEqual([
		'Concurrency is not set for item 1: the expression finds nothing there',
		'Webhook Identifier is not set for items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more: the expression finds nothing there',
	]);
});

test('a Child Account ID that is not set is an error: an empty one would decide whose account it is', async () => {
	const { error, sent } = await runAction({
		parameters: { ...CREATE, additionalFields: { childAccountId: VALUE } },
		input: [{ value: null }, {}],
		answer: json(201, { _id: 'r1' }),
	});
	expect([error?.message, error?.context.itemIndex, sent]).toEqual([
		'Child Account ID is empty',
		1,
		0,
	]);
});

const GET = { resource: 'collectionRequest', operation: 'get', requestId: '1' };
const SHARE = { resource: 'share', shareBy: 'shareId', shareId: '1' };
const WAIT = { ...GET, operation: 'wait', which: 'requestId' };
const VERIFY = { resource: 'notification', operation: 'verify' };

test.each<[string, option: string, INodeParameters]>([
	['Timeout', 'timeout', GET],
	['Timeout', 'timeout', { ...GET, operation: 'getParticipants' }],
	['Timeout', 'timeout', { ...SHARE, operation: 'get' }],
	['Timeout', 'timeout', { ...SHARE, operation: 'getAnswers' }],
	['Timeout', 'timeout', { ...SHARE, operation: 'getHistory' }],
	['Concurrency', 'concurrency', GET],
	['Number to Wait For', 'numberToWaitFor', WAIT],
	['Maximum Age', 'maximumAge', WAIT],
	['Maximum Age', 'maximumAge', VERIFY],
	['Input Binary Field', 'binaryPropertyName', VERIFY],
])('a hint says that %s is not set: %s of %j', async (field, option, parameters) => {
	const { hints } = await runAction({
		parameters: { ...parameters, options: { [option]: '={{ $json.nothing }}' } },
		answer: json(200, { _id: '1', shareStatus: 'completed' }),
		settings: { onError: 'continueRegularOutput' },
	});
	const message = `${field} is not set for item 1: the expression finds nothing there`;
	expect(hints).toMatchObject([{ message }]);
});
