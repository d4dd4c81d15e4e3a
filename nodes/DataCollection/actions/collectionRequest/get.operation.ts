import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { callOptionsField, readCallOptions } from '../../n8n/callOptions';
import { parametersOf } from '../../n8n/parameters';
import { readRequestId, requestIdField } from '../../requests/requestId';
import type { Run } from '../../requests/run';
import { requestItem } from '../../service/guestLink';

const includeShareOption: INodeProperties = {
	displayName: 'Include Share',
	name: 'includeShare',
	type: 'boolean',
	default: false,
	description: 'Whether to also read the share, which is null until one exists',
};

export const description: INodeProperties[] = [
	requestIdField,
	callOptionsField(includeShareOption),
];

/** Reads a collection request and adds its guest link and, if wanted, its share. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { api, connection } = run;
	const parameters = parametersOf(run.context, itemIndex, run.hint);
	const requestId = readRequestId(run, parameters);
	const options = readCallOptions(parameters);
	const isShareIncluded = parameters.boolean(includeShareOption, 'options');
	const found = await api.getCollectionRequest(requestId, options);
	const item = requestItem(connection.collectUrl, found._id, found);
	if (!isShareIncluded) return item;
	return { ...item, share: await api.getShareOf(found, options) };
}
