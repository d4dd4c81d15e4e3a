import type { IDataObject } from 'n8n-workflow';

import type { Share } from '../api/types';

/** The account type of a participant that is no person (Participant). */
const ORGANISATION = 'organisation';

/** What is known of somebody; the service leaves out what it does not know, or sends null. */
export interface Person extends IDataObject {
	name?: string | null;
	email?: string | null;
	phoneNumber?: string | null;
	roles?: string[];
}

/** The objects of a list, whatever the service sends in its place. */
export const objectsOf = (list: unknown): IDataObject[] =>
	Array.isArray(list)
		? list.filter((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry))
		: [];

/** The people who take part in a share, without the organisation that it belongs to. */
export function peopleOf(share: Share | undefined): Person[] {
	return objectsOf(share?.participants)
		.filter(({ accountType }) => accountType !== ORGANISATION)
		.map(({ accountSnapshot, roles }) => {
			const { name, email, phoneNumber } = { ...(accountSnapshot as Person) };
			return { name, email, phoneNumber, roles: roles as string[] };
		});
}
