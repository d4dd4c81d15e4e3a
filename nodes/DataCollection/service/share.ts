import type { IDataObject } from 'n8n-workflow';

import { freeName } from '../basics/text';
import { isObject } from '../basics/values';
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

/** The service omits unknown values, or sends null. */
export interface Person extends IDataObject {
	name?: string | null;
	email?: string | null;
	phoneNumber?: string | null;
	roles?: string[];
	/** The history names it as `updatedById` (Update log). */
	accountId?: string;
}

export function simplify(share: Share): IDataObject {
	return {
		shareId: share._id,
		status: share.status,
		answers: answersOf(share),
		participants: joinedPeopleOf(share),
		templateId: share.template?._id,
		createTime: share.createTime,
		lastUpdateTime: share.lastUpdateTime,
		deleteTime: share.deleteTime,
	};
}

/** The participants without the organisation that the share belongs to. */
export function joinedPeopleOf(share: Share | null): Person[] {
	return objectsOf(share?.participants)
		.filter(({ accountType }) => accountType !== ORGANISATION)
		.map(({ account_id: accountId, accountSnapshot, roles }) => {
			const { name, email, phoneNumber } = { ...(accountSnapshot as Person) };
			const account = { roles: roles as string[], accountId: accountId as string };
			return { name, email, phoneNumber, ...account };
		});
}

/** An empty list if the service sends something else. */
export const objectsOf = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter(isObject) : [];

/**
 * By label. A label that is taken, or that every object inherits, gets a number, as in `Label (2)`.
 */
export function answersOf(share: Share, otherFields: string[] = []): IDataObject {
	const answers = new Map<string, unknown>();
	const counts = new Map<string, number>();
	const isTaken = (label: string) =>
		answers.has(label) || otherFields.includes(label) || isInheritedName(label);
	for (const { label, value } of objectsOf(share.otherFields)) {
		const name = typeof label === 'string' ? label : '';
		// All lower numbers are taken: many people may answer the same question.
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		answers.set(freeName(name, isTaken, count), value);
	}
	return Object.fromEntries(answers) as IDataObject;
}
