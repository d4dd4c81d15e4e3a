import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { parseWords } from '../basics/values';
import { userError } from '../n8n/errors';
import type { Parameters } from '../n8n/parameters';
import type { Session } from '../service/callTypes';
import { createClient } from '../service/client';
import { requestItem } from '../service/collectionRequest';
import { simplify } from '../service/share';

const CHOICES: INodePropertyOptions[] = [
	{ name: 'Collection Request', value: 'collectionRequest' },
	{ name: 'Share', value: 'share', description: 'With its answers; null until a share exists' },
];

export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: CHOICES,
	default: [],
	description:
		'What to read from the service and add to the item before the workflow starts. This takes up to 3 seconds. If it does not succeed, the field includeError of the item says why.',
};

export function readInclude(parameters: Parameters): string[] {
	const selected = parseWords(parameters.present(includeOption, 'options'));
	const isChoice = (entry: string) => CHOICES.some(({ value }) => value === entry);
	if (selected?.every(isChoice)) return selected;
	const description = 'Select its entries again, or check what its expression returns.';
	throw userError({ message: 'Include has an unknown entry', description });
}

/** Seconds for all reads together: the service gives up on a delivery after 5. */
const GET_TIME = 3;

/** If a read fails, `includeError` says why: the notification itself must not be lost. */
export async function getIncluded(
	session: Omit<Session, 'resumeAt'>,
	requestId: string,
	requested: string[],
	isSimplified: boolean,
): Promise<IDataObject> {
	const api = createClient(session);
	const { collectUrl } = session.connection;
	const options = { timeout: GET_TIME, deadline: clock.now() + GET_TIME * 1000 };
	const read = await api.getCollectionRequest(requestId, options);
	if (!read.ok) return { includeError: read.error.message };
	const about = (fields: IDataObject) => requestItem(collectUrl, read.value._id, fields);
	const isIncluded = requested.includes('collectionRequest');
	const included = isIncluded ? { collectionRequest: about(read.value) } : {};
	if (!requested.includes('share')) return included;
	const share = await api.getShareOf(read.value, options);
	if (!share.ok) return { ...included, includeError: share.error.message };
	const { value } = share;
	return { ...included, share: value && about(isSimplified ? simplify(value) : value) };
}
