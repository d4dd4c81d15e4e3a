import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { freeName, isObject, textOf } from '../basics/values';
import { jsonOf, pastOf, storedOutputs } from '../n8n/earlierItems';
import type { NodeContext } from '../n8n/graph';
import type { CollectionRequest, InvitedParticipant } from '../service/types';
import { createsBefore } from './nodes';

/** Whom a collection request invites, and the value of Group By. */
interface Invited {
	people: IDataObject[];
	group?: string;
}

/** Tells whose collection requests are. */
export type Owners = ReturnType<typeof ownersOf>;

/**
 * Whose each collection request is: what Create has put out in this execution says so. `createdItems` is
 * called at most once.
 */
export function ownersOf(createdItems: () => IDataObject[]) {
	let created: Map<string, Invited> | undefined;
	const told = new Map<string, Invited>();
	const invitedTo = (requestId: unknown): Invited => {
		const id = String(requestId);
		created ??= invitedBy(createdItems());
		return created.get(id) ?? told.get(id) ?? { people: [] };
	};
	return {
		/** Takes note of what a collection request itself tells: another execution may have created it. */
		learn({ _id, participantList }: CollectionRequest): void {
			const people: unknown[] = Array.isArray(participantList) ? participantList : [];
			told.set(_id, { people: people.map(toldOf) });
		},
		/** The people whom a collection request invites. */
		peopleOf: (requestId: string): InvitedParticipant[] => invitedTo(requestId).people,
		/**
		 * The item, with the group, and of a collection request that invites a single person with their name,
		 * email and phone number. Items of a time limit stay as they are: they are unread, and whoever emails
		 * them would remind people who have answered.
		 */
		addTo(item: IDataObject): IDataObject {
			if (item.timedOut === true) return item;
			const { people, group } = invitedTo(item.requestId);
			const isPerson = 'hasJoined' in item;
			const person = people.length === 1 && !isPerson ? people[0] : {};
			return withOwner(item, { ...person, ...(group !== undefined && { group }) });
		},
	};
}

const namesOfCreates = (context: NodeContext) => createsBefore(context).map(({ name }) => name);

/** What the Create nodes before this one have put out in this execution. */
export const createdBefore = (context: IExecuteFunctions): IDataObject[] =>
	pastOf(context).outputsInOrder(namesOfCreates(context)).flat().map(fieldsOf);

/** The same when a webhook of the execution is called. */
export const storedBefore = (context: IWebhookFunctions): IDataObject[] =>
	storedOutputs(context, namesOfCreates(context)).map(fieldsOf);

const fieldsOf = (item: INodeExecutionData): IDataObject => jsonOf(item) ?? {};

/** What items of Create say about each collection request. */
function invitedBy(items: IDataObject[]): Map<string, Invited> {
	const requests = new Map<string, Invited>();
	for (const { requestId, name = null, email = null, phoneNumber = null, ...item } of items) {
		const id = textOf(requestId) ?? '';
		const request = requests.get(id) ?? { people: [], group: textOf(item.group) };
		// Of several people, or of nobody, Create has put out the response of the service.
		if ('isAdmin' in item) request.people.push({ name, email, phoneNumber });
		requests.set(id, request);
	}
	return requests;
}

/** What the service says about an invited person: an email, and perhaps more. */
const toldOf = (person: unknown): IDataObject =>
	Object.fromEntries(
		['name', 'email', 'phoneNumber'].flatMap((field) => {
			const value = isObject(person) ? person[field] : undefined;
			return typeof value === 'string' ? [[field, value]] : [];
		}),
	);

/** The fields that an item begins with. */
const FIRST = ['requestId', 'guestLink'];

/**
 * An item with whose it is, behind the fields that it begins with. What else has one of these names, such
 * as an answer, gets a number: `email (2)`.
 */
export function withOwner(item: IDataObject, owner: IDataObject): IDataObject {
	const fields = Object.entries(item);
	const renamed = (name: string) =>
		freeName(name, (free) => free in owner || (free !== name && free in item)).name;
	const start = fields.findIndex(([name]) => !FIRST.includes(name));
	const end = start === -1 ? fields.length : start;
	const others = fields.slice(end).map(([name, value]) => [renamed(name), value] as const);
	return Object.fromEntries([...fields.slice(0, end), ...Object.entries(owner), ...others]);
}
