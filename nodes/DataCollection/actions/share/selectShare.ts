import type { INodeProperties } from 'n8n-workflow';

import type { Explanation } from '../../basics/result';
import { isPresent } from '../../basics/values';
import { readCallOptions } from '../../n8n/callOptions';
import { userError } from '../../n8n/errors';
import { isTimedOut } from '../../n8n/graph';
import type { Parameters } from '../../n8n/parameters';
import { readRequestId, requestIdField } from '../../requests/requestId';
import type { Run } from '../../requests/run';
import { guestLink } from '../../service/guestLink';
import type { Share } from '../../service/share';

const shareByField: INodeProperties = {
	displayName: 'Get By',
	name: 'shareBy',
	type: 'options',
	options: [
		{ name: 'Request ID', value: 'requestId' },
		{ name: 'Share ID', value: 'shareId' },
	],
	default: 'requestId',
	description: 'Whether to find the share by the ID of its collection request or by its own ID',
};

const shareIdField: INodeProperties = {
	displayName: 'Share ID',
	name: 'shareId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c3',
	description:
		'ID of the share, which the collection request contains as shareId once a share exists',
	displayOptions: { show: { shareBy: ['shareId'] } },
};

/** The fields that select the share, in the order in which the editor shows them. */
export const shareFields: INodeProperties[] = [
	shareByField,
	{ ...requestIdField, displayOptions: { show: { shareBy: ['requestId'] } } },
	shareIdField,
];

/** A share, with the ID and the guest link of its collection request, if the service names it. */
export interface FoundShare {
	share: Share;
	requestId: string | null;
	guestLink: string | null;
}

/**
 * Which share an item names: a key that is the same for the same name, and how to get it. `find`
 * resolves to undefined if the service has not created one yet; `get` then throws.
 */
export function selectShare(run: Run, parameters: Parameters) {
	const { api } = run;
	const options = readCallOptions(parameters);
	if (parameters.option(shareByField) === 'shareId') {
		const id = parameters.required(shareIdField);
		const get = async () => {
			const share = await api.getShare(id, options);
			return found(run, share, share.collectionRequestId);
		};
		return { key: `share ${id}`, find: get, get };
	}
	const id = readRequestId(run, parameters);
	const find = async () => {
		const collectionRequest = await api.getCollectionRequest(id, options);
		const share = await api.getShareOf(collectionRequest, options);
		return share === null ? undefined : found(run, share, collectionRequest._id);
	};
	const get = async () => {
		const one = await find();
		if (one !== undefined) return one;
		throw userError(noShare(id, isTimedOut(run, parameters.itemIndex ?? 0)));
	};
	return { key: `collection request ${id}`, find, get };
}

const DELETED =
	'A share is deleted: the service has set its deleteTime. If you do not want data of deleted shares, leave out the items whose deleteTime is not null.';

function found({ connection, hint }: Run, share: Share, requestId: unknown): FoundShare {
	if (isPresent(share.deleteTime)) hint(DELETED);
	if (typeof requestId !== 'string') return { share, requestId: null, guestLink: null };
	return { share, requestId, guestLink: guestLink(connection.collectUrl, requestId) };
}

/** What to do where items that timed out are read as if they were completed. */
export const CHECK_FIRST =
	"These items come from Time's Up of a Wait, so nobody has read what is completed by now. Put Check Status before this node, and connect its output Completed with this node.";

const noShare = (requestId: string, hasTimedOut: boolean): Explanation => ({
	message: `The collection request "${requestId}" has no share yet`,
	description: hasTimedOut
		? CHECK_FIRST
		: 'The service has not created one so far. To read answers when they are complete, connect this node with Done of a Wait, or with a trigger. To continue without a share, use Collection Request > Get with the option Include Share: share is null until one exists.',
});
