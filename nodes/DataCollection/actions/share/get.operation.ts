import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestItem } from '../../item';
import { simplify } from '../../share';
import { simplifyField } from '../../fields';
import { parametersOf } from '../../parameters';
import type { Run } from '../operation';
import { callOptionsField } from '../fields';
import { selectShare, shareFields } from './selectShare';

export const description: INodeProperties[] = [...shareFields, simplifyField, callOptionsField()];

/** Reads a share by its collection request's ID or by its own ID. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const isSimplified = parametersOf(run.context, itemIndex).flag(simplifyField);
	const { share, requestId } = await selectShare(run, itemIndex).get();
	const fields = isSimplified ? simplify(share) : share;
	return requestId === null ? fields : requestItem(run.connection.collectUrl, requestId, fields);
}
