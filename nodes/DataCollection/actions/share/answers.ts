import type { IDataObject } from 'n8n-workflow';

import type { Share } from '../../api/types';
import { isInheritedName } from '../../sanitize';
import { objectsOf, peopleOf } from '../people';

/** The parts of a share that workflows use most: what was answered, and who takes part. */
export function simplify(share: Share): IDataObject {
	return {
		shareId: share._id,
		status: share.status,
		answers: answersOf(objectsOf(share.otherFields)),
		participants: peopleOf(share),
		templateId: share.template?._id,
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
