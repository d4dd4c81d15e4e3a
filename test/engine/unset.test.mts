import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runAction, type ActionRun } from './support/engine.mts';
import { json } from './support/faultServer.mts';
import { CREATE, READ } from './support/operations.mts';

// Optional texts and numbers whose cell is empty, or whose expression finds nothing.

const TWO = {
	participantsMode: 'json',
	participantsJson: '={{ ["a", "b"].map((name) => `${name}${$itemIndex}@example.com`) }}',
};

/** Runs a create that succeeds; also returns the bodies that it sent. */
async function create(parameters: INodeParameters, more: Partial<ActionRun>) {
	const answer = json(201, { _id: 'r1' });
	const run = await runAction({ parameters: { ...CREATE, ...parameters }, answer, ...more });
	expect(run.error).toBeUndefined();
	const bodies = run.requests.map(({ body }) => JSON.parse(body) as IDataObject);
	return { ...run, bodies, messages: run.hints.map(({ message }) => message) };
}

describe('an optional text or number', () => {
	const additionalFields = {
		minimumParticipants: '={{ $json.value }}',
		webhookIdentifier: '={{ $json.value }}',
	};
	const options = { timeout: '={{ $json.value }}' };

	test.each<[string, IDataObject]>([
		['an empty text', { value: '' }],
		['white space', { value: ' \u200b' }],
		['null', { value: null }],
	])('is not set if its expression returns %s', async (_title, item) => {
		const people = TWO;
		const run = await create({ ...people, additionalFields, options }, { input: [item] });
		const limits = { minimumParticipants: 2, maximumParticipants: 10 };
		expect(run.bodies).toMatchObject([limits]);
		expect(run.bodies[0]).not.toHaveProperty('webhookIdentifier');
		expect(run.messages).toEqual([]);
	});

	test('is not set if its expression finds nothing, and a hint names the field and the items', async () => {
		const input = [{ value: '1' }, {}, { value: '' }, { value: 2 }, {}];
		const fields = { minimumParticipants: additionalFields.minimumParticipants };
		const people = TWO;
		const run = await create({ ...people, additionalFields: fields, options }, { input });
		const minimums = run.bodies.map((body) => body.minimumParticipants);
		expect(minimums.toSorted()).toEqual([1, 2, 2, 2, 2]);
		expect(run.messages).toEqual([
			'Minimum Participants is not set for items 2 and 5: the expression finds nothing there',
			'Timeout is not set for items 2 and 5: the expression finds nothing there',
		]);
	});

	test('of many items, the hint names the first ten; an option for all items names the first', async () => {
		const input = Array.from({ length: 12 }, () => ({}));
		const run = await create(
			{
				...TWO,
				additionalFields: { webhookIdentifier: additionalFields.webhookIdentifier },
				options: { concurrency: '={{ $json.value }}' },
			},
			{ input },
		);
		expect(run.messages).toEqual([
			`Concurrency is not set for item 1: the expression finds nothing there`,
			`Webhook Identifier is not set for items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more: the expression finds nothing there`,
		]);
	});

	test('of which an empty one is no error decides nothing about the child account', async () => {
		const childAccountId = '={{ $json.value }}';
		const parameters = { ...CREATE, additionalFields: { childAccountId } };
		const answer = json(201, { _id: 'r1' });
		const { error, sent } = await runAction({ parameters, answer, input: [{ value: null }, {}] });
		expect([error?.message, error?.context.itemIndex, sent]).toEqual([
			'Child Account ID is empty',
			1,
			0,
		]);
	});
});

const SHARE = { resource: 'share', shareBy: 'shareId', shareId: 's1' };
const VERIFY = { resource: 'notification', operation: 'verify' };
const WAIT = { ...READ, operation: 'wait', which: 'requestId' };
const NOTHING = '={{ $json.nothing }}';

test.each<[string, INodeParameters]>([
	['Timeout', { ...READ, options: { timeout: NOTHING } }],
	['Timeout', { ...READ, operation: 'getParticipants', options: { timeout: NOTHING } }],
	['Timeout', { ...SHARE, operation: 'get', options: { timeout: NOTHING } }],
	['Timeout', { ...SHARE, operation: 'getAnswers', options: { timeout: NOTHING } }],
	['Timeout', { ...SHARE, operation: 'getHistory', options: { timeout: NOTHING } }],
	['Concurrency', { ...READ, options: { concurrency: NOTHING } }],
	['Number to Wait For', { ...WAIT, options: { numberToWaitFor: NOTHING } }],
	['Maximum Age', { ...WAIT, options: { maximumAge: NOTHING } }],
	['Maximum Age', { ...VERIFY, options: { maximumAge: NOTHING } }],
	['Input Binary Field', { ...VERIFY, options: { binaryPropertyName: NOTHING } }],
])('%s is not set: %#', async (field, parameters) => {
	const answer = json(200, { _id: '1', shareStatus: 'completed' });
	const settings = { onError: 'continueRegularOutput' as const };
	const { hints } = await runAction({ parameters, answer, settings });
	const message = `${field} is not set for item 1: the expression finds nothing there`;
	expect(hints).toMatchObject([{ message }]);
});
