import type { IDataObject } from 'n8n-workflow';

import { freeName, isObject } from '../basics/values';
import { isInheritedName } from './redact';

/** The account type of a participant that is not a person (Participant). */
const ORGANISATION = 'organisation';

/** What the participants of a collection request filled in (Share). Unknown fields pass through. */
export interface Share extends IDataObject {
	_id: string;
	collectionRequestId?: string;
	status?: string;
	participants?: IDataObject[];
	otherFields?: IDataObject[];
	updateLogs?: IDataObject[];
	template?: IDataObject;
}

/** What is known about a person. The service omits unknown values, or sends null. */
export interface Person extends IDataObject {
	name?: string | null;
	email?: string | null;
	phoneNumber?: string | null;
	roles?: string[];
	/** The one that the history names as `updatedById` (Update log). */
	accountId?: string;
}

/** The parts of a share that workflows use most: the answers and the participants. */
export function simplify(share: Share): IDataObject {
	return {
		shareId: share._id,
		status: share.status,
		answers: answersOf(share),
		participants: peopleOf(share),
		templateId: share.template?._id,
		createTime: share.createTime,
		lastUpdateTime: share.lastUpdateTime,
		deleteTime: share.deleteTime,
	};
}

/** The people among a share's participants, without the organisation that it belongs to. */
export function peopleOf(share: Share | null): Person[] {
	return objectsOf(share?.participants)
		.filter(({ accountType }) => accountType !== ORGANISATION)
		.map(({ account_id: accountId, accountSnapshot, roles }) => {
			const { name, email, phoneNumber } = { ...(accountSnapshot as Person) };
			const account = { roles: roles as string[], accountId: accountId as string };
			return { name, email, phoneNumber, ...account };
		});
}

/** The objects in a list, or an empty list if the service sends something else. */
export const objectsOf = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter(isObject) : [];

/**
 * The answers by label. A label that is taken already, by an answer or by one of the other fields, or
 * that every object inherits (`__proto__`), gets a number, as in `Label (2)`, so that no value is lost.
 */
export function answersOf(share: Share, otherFields: string[] = []): IDataObject {
	const answers = new Map<string, unknown>();
	const counts = new Map<string, number>();
	const isTaken = (label: string) =>
		answers.has(label) || otherFields.includes(label) || isInheritedName(label);
	for (const { label, value } of objectsOf(share.otherFields)) {
		const name = typeof label === 'string' ? label : '';
		const free = freeName(name, isTaken, counts.get(name));
		counts.set(name, free.count);
		answers.set(free.name, value);
	}
	return Object.fromEntries(answers) as IDataObject;
}
