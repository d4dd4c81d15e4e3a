import type { INodeProperties } from 'n8n-workflow';

import { parseHttpUrl } from '../basics/url';
import { userError } from '../n8n/errors';
import { upstreamNodes, upstreamTrigger } from '../n8n/graph';
import type { Parameters } from '../n8n/parameters';
import { isTool } from '../n8n/tool';
import { canonicalId } from '../service/collectionRequest';
import { requestIdOfLink } from '../service/guestLink';
import { createsBefore } from './createAndWaitNodes';
import type { Run } from './operation';

export const requestIdField: INodeProperties = {
	displayName: 'Request ID',
	name: 'requestId',
	type: 'string',
	required: true,
	default: '={{ $json.requestId }}',
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c2',
	description:
		'ID of the collection request, as returned by Create or the trigger, or its guest link',
};

/** Also takes a guest link of the credential's Collect URL. */
export const readRequestId = (run: Run, { required }: Parameters): string =>
	requestIdIn(
		run,
		required(requestIdField, () => droppedIdText(run)),
	);

export function requestIdIn({ connection: { collectUrl } }: Run, entered: string): string {
	if (parseHttpUrl(entered) === undefined) return canonicalId(entered);
	const requestId = requestIdOfLink(collectUrl, entered);
	if (requestId !== undefined) return canonicalId(requestId);
	const message =
		"Request ID is a link, but not a guest link that starts with the credential's Collect URL";
	const description = `Enter the ID of a collection request, or a guest link that begins with ${collectUrl}/request/`;
	throw userError({ message, description });
}

/** An email node in between drops the request ID. */
function droppedIdText(run: Run): string {
	if (isTool(run.context)) return '';
	const [create] = createsBefore(run.context).reverse();
	const [node] = upstreamNodes(run.context).reverse();
	const source = create ?? node ?? upstreamTrigger(run.context);
	if (source === undefined) return ' The previous node may have dropped it.';
	return ` The previous node may have dropped it: use {{ $('${source.name}').item.json.requestId }} to take it from "${source.name}".`;
}
