import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parametersOf } from '../../n8n/parameters';
import { requestItem } from '../../service/collectionRequest';
import { callOptionsField, readCallOptions } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { orThrowFailure, readWithShare } from '../../shared/readItems';
import { readRequestId, requestIdField } from '../../shared/requestId';

const includeShareOption: INodeProperties = {
	displayName: 'Include Share',
	name: 'includeShare',
	type: 'boolean',
	default: false,
	description: 'Whether to also read the share, which is null until one exists',
};

export const addsInvitee = true;

export const description: INodeProperties[] = [
	requestIdField,
	callOptionsField(includeShareOption),
];

/** Reads a collection request and adds its guest link and, if wanted, its share. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const parameters = parametersOf(run.context, itemIndex, run.hint);
	const requestId = readRequestId(run, parameters);
	const options = readCallOptions(parameters);
	const isShareIncluded = parameters.boolean(includeShareOption, 'options');
	const read = await readWithShare(run, requestId, options, () => isShareIncluded);
	const { request, share } = orThrowFailure(run.context, read);
	const item = requestItem(run.connection.collectUrl, request._id, request);
	return isShareIncluded ? { ...item, share } : item;
}
