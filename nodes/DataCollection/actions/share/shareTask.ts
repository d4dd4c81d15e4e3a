import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { err, mapped } from '../../basics/result';
import { userError } from '../../n8n/errors';
import type { Parameters } from '../../n8n/parameters';
import { canonicalId } from '../../service/collectionRequest';
import { guestLink } from '../../service/guestLink';
import type { Share } from '../../service/share';
import { readCallOptions } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { type ReadTask } from '../../shared/readItems';
import { readRequestId, requestIdField } from '../../shared/requestId';

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

/** The share that an item names. If the service has not created one yet, an error says so. */
export function shareTask(run: Run, parameters: Parameters): ReadTask<FoundShare> {
	const { api } = run;
	const options = readCallOptions(parameters);
	if (parameters.option(shareByField) === 'shareId') {
		const id = canonicalId(parameters.required(shareIdField));
		const read = async () =>
			mapped(await api.getShare(id, options), (share) =>
				withLink(run, share, share.collectionRequestId),
			);
		return { key: `share ${id}`, read };
	}
	const id = readRequestId(run, parameters);
	const read = async () => {
		const request = await api.getCollectionRequest(id, options);
		if (!request.ok) return request;
		const share = await api.getShareOf(request.value, options);
		if (!share.ok) return share;
		if (share.value === null) return noShare(run, id, parameters.itemIndex);
		return { ok: true, value: withLink(run, share.value, request.value._id) } as const;
	};
	return { key: `collection request ${id}`, read };
}

function withLink({ connection }: Run, share: Share, requestId: unknown): FoundShare {
	if (typeof requestId !== 'string') return { share, requestId: null, guestLink: null };
	return { share, requestId, guestLink: guestLink(connection.collectUrl, requestId) };
}

/**
 * Whether the item comes from Time's Up of a Wait: nobody has read its collection request since.
 */
const isTimedOut = (context: IExecuteFunctions, itemIndex: number): boolean =>
	context.getInputData()[itemIndex]?.json.timedOut === true;

/** Whether the item comes from a Wait or Check Status that did not find the awaited status. */
const isNotReached = (context: IExecuteFunctions, itemIndex: number): boolean =>
	context.getInputData()[itemIndex]?.json.isReached === false;

const CHECK_FIRST =
	"These items come from Time's Up of a Wait, so nobody has read what is completed by now. Put Check Status before this node, and connect its output Completed with this node.";

const NOT_YET =
	'The service has not created one so far. To read answers when they are complete, connect this node with Done of a Wait, or with a trigger. To continue without a share, use Collection Request > Get with the option Include Share: share is null until one exists.';

/** Without a share, a collection request is an error, unless its item says that it may be open. */
function noShare(run: Run, requestId: string, itemIndex = 0) {
	const hasTimedOut = isTimedOut(run.context, itemIndex);
	const message = `The collection request "${requestId}" has no share yet`;
	const description = hasTimedOut ? CHECK_FIRST : NOT_YET;
	const mayBeOpen = hasTimedOut || isNotReached(run.context, itemIndex);
	if (!mayBeOpen) throw userError({ message, description });
	return err({
		kind: 'missing',
		message,
		description,
		itemIndex,
		mayHaveBeenCreated: false,
	} as const);
}
