import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { simplifyField } from '../../fields';
import { requestItem } from '../../item';
import { parametersOf } from '../../parameters';
import { simplify } from '../../share';
import { callOptionsField } from '../fields';
import type { Run } from '../operation';
import { selectShare, shareFields } from './selectShare';

export const description: INodeProperties[] = [...shareFields, simplifyField, callOptionsField()];

/** Reads a share by its collection request's ID or by its own ID. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const given = parametersOf(run.context, itemIndex, run.hint);
	const isSimplified = given.flag(simplifyField);
	const { share, requestId } = await selectShare(run, given).get();
	const fields = isSimplified ? simplify(share) : share;
	return requestId === null ? fields : requestItem(run.connection.collectUrl, requestId, fields);
}
