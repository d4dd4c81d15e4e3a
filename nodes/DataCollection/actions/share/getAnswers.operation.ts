import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { objectsOf } from '../../api/share';
import type { Run } from '../operation';
import { callOptionsField } from '../parameters';
import { readShare, shareFields } from './whichShare';

export const description: INodeProperties[] = [...shareFields, callOptionsField()];

/** Reads a share and outputs one item per answer, in the share's order, ready as a table row. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject[]> {
	const { share, requestId = null } = await readShare(run, itemIndex);
	const { _id: shareId, status = null, lastUpdateTime = null } = share;
	return objectsOf(share.otherFields).map((field, index) => {
		const { label = null, value = null, type = null, isMandatory = null } = field;
		const position = index + 1;
		const answer = { position, label, value, type, isMandatory };
		return { requestId, shareId, ...answer, status, lastUpdateTime };
	});
}
