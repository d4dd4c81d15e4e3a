import type { IDataObject, INodeProperties, NodeOperationError } from 'n8n-workflow';

import { isCertainlyNotCreated } from '../../api/errors';
import type { CreateCollectionRequest, InvitedParticipant } from '../../api/types';
import { requestItem } from '../../item';
import type { Parameters } from '../../parameters';
import { parametersOf } from '../../parameters';
import { callOptionsField, givenCallOptions, givenConcurrency } from '../fields';
import type { ItemResult, Run } from '../operation';
import { eachItem } from '../results';
import { isTool } from '../workflow';
import { givenLimits, participantLimitFields } from './limits';
import { givenTarget, notifyFields } from './notify';
import { givenParticipants, hintMisnamed, participantFields } from './participants';
import { noteCreateRun } from './wait/created';
import { noteReported } from './wait/reported';
import { assertWaitsCanBegin } from './waitsBehind';

const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Collection Request',
			value: 'collectionRequest',
			description: 'One item with the response of the service',
		},
		{
			name: 'Participants',
			value: 'participants',
			description:
				'One item for each invited person, e.g. to email them; the collection request if nobody is invited',
		},
	],
	default: 'participants',
	description: 'What to return for each input item',
};

const templateIdField: INodeProperties = {
	displayName: 'Template ID',
	name: 'templateId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c0',
	description:
		'ID of the form template that participants fill in. The provider of the service tells you where to find it. The sandbox takes any text.',
};

const childAccountIdField: INodeProperties = {
	displayName: 'Child Account ID',
	name: 'childAccountId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c1',
	description: 'ID of the child account to create the collection request under',
};

const webhookIdentifierField: INodeProperties = {
	displayName: 'Webhook Identifier',
	name: 'webhookIdentifier',
	type: 'string',
	default: '',
	placeholder: 'e.g. onboarding',
	description: 'Text of your choice that every notification includes',
};

const answersNotice: INodeProperties = {
	displayName:
		'Answers carry no names. To know whose they are, create one collection request for each person.',
	name: 'answersNotice',
	type: 'notice',
	default: '',
};

export const description: INodeProperties[] = [
	templateIdField,
	...participantFields,
	answersNotice,
	...notifyFields,
	outputField,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [childAccountIdField, ...participantLimitFields, webhookIdentifierField],
	},
	callOptionsField(),
];

const NOBODY_INVITED = 'No participant is invited: Participants is empty.';
const PRACTICE =
	'The credential is set to Practice: the guest links lead to the practice service in this n8n and nowhere else. Before you email anybody else, choose another credential in this node.';
const NO_EMAIL =
	'A participant has no email, so an email node after this one will stop there. Enter an email, or let a Filter node pass on only the items that have one.';

/**
 * Creates the collection request of each item. Takes the parameters of all items before it creates
 * anything, because an error after a create would lose the new ID.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	// At least two at once: a single one would never yield to the event loop.
	const concurrency = Math.max(2, givenConcurrency(run));
	const prepare = async (itemIndex: number) => await prepareCreate(run, itemIndex);
	const prepared = await eachItem(run, prepare, concurrency);
	const failed = prepared.filter((one) => !one.ok);
	if (failed.length > 0 && !run.context.continueOnFail()) return [failed];
	if (run.connection.environment === 'practice') run.hint(PRACTICE);
	await assertWaitsCanBegin(
		run,
		prepared.filter(({ ok }) => ok),
	);
	if (!isTool(run)) noteCreateRun(run);
	const work = async (itemIndex: number) => {
		const one = prepared[itemIndex];
		if (one?.ok) return await createOnce(run, itemIndex, one.value);
		throw one?.fault as NodeOperationError;
	};
	return [await eachItem(run, work)];
}

/**
 * Creates an item's collection request at most once, however often Retry On Fail runs the node. If it
 * was created, later tries output the same. If that is unknown, they fail with the same error.
 */
async function createOnce(run: Run, itemIndex: number, create: Create): Promise<IDataObject[]> {
	const { ids, outputs } = run.created;
	const earlier = outputs.get(itemIndex);
	if (earlier !== undefined) return await earlier;
	const output = create();
	outputs.set(itemIndex, output);
	output.catch((error: unknown) => {
		// Certainly not created, so the next try may create it.
		if (isCertainlyNotCreated(error)) outputs.delete(itemIndex);
	});
	const items = await output;
	ids.add(String(items[0]?.requestId));
	return items;
}

/** Creates a collection request. Resolves to one item, or to one per person, as entered. */
type Create = () => Promise<IDataObject[]>;

/** Takes everything that can be wrong. An item that an earlier try may have created needs no more of it. */
async function prepareCreate(run: Run, itemIndex: number): Promise<Create> {
	if (run.created.outputs.has(itemIndex)) return async () => await Promise.resolve([]);
	const given = parametersOf(run.context, itemIndex, run.hint);
	const invited = givenParticipants(given, run.hint);
	const { people, positions } = invited;
	const target = givenTarget(run, given);
	const body = { ...givenBody(run, given, people), ...target.webhook };
	const options = { ...givenCallOptions(given), positions };
	const isPerParticipant = given.choice(outputField) === 'participants';
	if (people.length === 0) run.hint(NOBODY_INVITED);
	hintMisnamed(run, itemIndex, invited);
	if (isPerParticipant && people.some(({ email }) => !email)) run.hint(NO_EMAIL);
	return async () => {
		const response = await run.api.createCollectionRequest(body, options);
		const created = requestItem(run.connection.collectUrl, response._id, response);
		if (target.isThisExecution) noteReported(run, response._id);
		if (!isPerParticipant || people.length === 0) return [created];
		const { requestId, guestLink } = created;
		return people.map((person) => {
			const { name = null, email = null, phoneNumber = null, isAdmin = false } = person;
			return { requestId, guestLink, name, email, phoneNumber, isAdmin };
		});
	};
}

/** The request body. Of what is not set, only the two limits are sent: the API does not say which fields are required. */
function givenBody(
	run: Run,
	given: Parameters,
	people: InvitedParticipant[],
): CreateCollectionRequest {
	const strictly = parametersOf(run.context, given.itemIndex);
	return {
		templateId: given.required(templateIdField),
		// A hint would not be enough: the account decides whose collection request it is.
		childAccountId: strictly.text(childAccountIdField, 'additionalFields'),
		...givenLimits(given, run.hint, people.length),
		participantList: people.length > 0 ? people : undefined,
		webhookIdentifier: given.text(webhookIdentifierField, 'additionalFields'),
	};
}
