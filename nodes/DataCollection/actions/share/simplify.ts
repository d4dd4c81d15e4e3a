import type { IDataObject } from 'n8n-workflow';

import { isInheritedName } from '../../shared/sanitize';
import { isObject } from '../../shared/payload';
import type { Share } from '../../shared/types';

/** The parts of a share that workflows use most: who takes part and what they answered. */
export function simplify(share: Share): IDataObject {
	return {
		_id: share._id,
		collectionRequestId: share.collectionRequestId,
		status: share.status,
		isQuotaLocked: share.isQuotaLocked,
		isPublicJoin: share.isPublicJoin,
		templateId: share.template?._id,
		answers: answersOf(objectsOf(share.otherFields)),
		participants: objectsOf(share.participants).map(({ accountSnapshot, roles, accountType }) => {
			const account = isObject(accountSnapshot) ? accountSnapshot : {};
			const { name, email, phoneNumber } = account;
			return { name, email, phoneNumber, roles, accountType };
		}),
		createTime: share.createTime,
		lastUpdateTime: share.lastUpdateTime,
	};
}

/**
 * Answers by label. A label that repeats, or that every object has already (`__proto__`), gets a
 * number, `Label (2)`, so that no value is lost.
 */
function answersOf(fields: IDataObject[]): IDataObject {
	const answers = new Map<string, unknown>();
	const counts = new Map<string, number>();
	const isTaken = (label: string) => answers.has(label) || isInheritedName(label);
	for (const { label, value } of fields) {
		const wanted = typeof label === 'string' ? label : '';
		let free = wanted;
		let count = counts.get(wanted) ?? 1;
		while (isTaken(free)) free = `${wanted} (${(count += 1)})`;
		counts.set(wanted, count);
		answers.set(free, value);
	}
	return Object.fromEntries(answers) as IDataObject;
}

const objectsOf = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter(isObject) : [];
