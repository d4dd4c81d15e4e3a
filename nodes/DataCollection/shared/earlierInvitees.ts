import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { freeName } from '../basics/text';
import { isObject, textOf } from '../basics/values';
import { jsonOf, outputsInOrder, storedOutputs } from '../n8n/earlierItems';
import type { NodeContext } from '../n8n/graph';
import type { CollectionRequest, InvitedParticipant } from '../service/collectionRequest';
import { createsBefore } from './createAndWaitNodes';

interface Invited {
	people: IDataObject[];
	group?: string;
}

export type Invitees = ReturnType<typeof inviteesOf>;

/** Who was invited, by Create's items. `createdItems` is called at most once. */
export function inviteesOf(createdItems: () => IDataObject[]) {
	let created: Map<string, Invited> | undefined;
	const fromResponses = new Map<string, Invited>();
	const invitedTo = (requestId: unknown): Invited => {
		const id = String(requestId);
		created ??= invitedBy(createdItems());
		return created.get(id) ?? fromResponses.get(id) ?? { people: [] };
	};
	return {
		/** From a response, for what another execution has created. */
		learn({ _id, participantList }: CollectionRequest): void {
			const people: unknown[] = Array.isArray(participantList) ? participantList : [];
			fromResponses.set(_id, { people: people.map(inviteeIn) });
		},
		peopleOf: (requestId: string): InvitedParticipant[] => invitedTo(requestId).people,
		/** Not to items of Time's Up: nobody has read them, so an email may remind who has answered. */
		addTo(item: IDataObject): IDataObject {
			if (item.timedOut === true) return item;
			const { people, group } = invitedTo(item.requestId);
			const isPerson = 'hasJoined' in item;
			const person = people.length === 1 && !isPerson ? people[0] : {};
			return withInvitee(item, { ...person, ...(group !== undefined && { group }) });
		},
	};
}

const namesOfCreates = (context: NodeContext) => createsBefore(context).map(({ name }) => name);

export const itemsOfCreates = (context: IExecuteFunctions): IDataObject[] =>
	outputsInOrder(context, namesOfCreates(context)).flat().map(fieldsOf);

/** When a webhook of the execution is called. */
export const storedItemsOfCreates = (context: IWebhookFunctions): IDataObject[] =>
	storedOutputs(context, namesOfCreates(context)).map(fieldsOf);

const fieldsOf = (item: INodeExecutionData): IDataObject => jsonOf(item) ?? {};

function invitedBy(items: IDataObject[]): Map<string, Invited> {
	const requests = new Map<string, Invited>();
	for (const { requestId, name = null, email = null, phoneNumber = null, ...item } of items) {
		const id = textOf(requestId) ?? '';
		const request = requests.get(id) ?? { people: [], group: textOf(item.group) };
		// For several people or nobody, Create has output the response of the service.
		if ('isAdmin' in item) request.people.push({ name, email, phoneNumber });
		requests.set(id, request);
	}
	return requests;
}

const inviteeIn = (person: unknown): IDataObject =>
	Object.fromEntries(
		['name', 'email', 'phoneNumber'].flatMap((field) => {
			const value = isObject(person) ? person[field] : undefined;
			return typeof value === 'string' ? [[field, value]] : [];
		}),
	);

const FIRST = ['requestId', 'guestLink'];

/** The invitee's fields come behind the first ones. A field of the same name gets a number: `email (2)`. */
export function withInvitee(item: IDataObject, invitee: IDataObject): IDataObject {
	const fields = Object.entries(item);
	const renamed = (name: string) =>
		freeName(name, (free) => free in invitee || (free !== name && free in item));
	const start = fields.findIndex(([name]) => !FIRST.includes(name));
	const end = start === -1 ? fields.length : start;
	const rest = fields.slice(end).map(([name, value]) => [renamed(name), value] as const);
	return Object.fromEntries([...fields.slice(0, end), ...Object.entries(invitee), ...rest]);
}
