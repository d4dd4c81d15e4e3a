import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parametersOf } from '../../n8n/parameters';
import { callOptionsField } from '../../requests/callOptions';
import type { Run } from '../../requests/operation';
import { orFail } from '../../requests/reading';
import { simplifyField } from '../../requests/sharedFields';
import { requestItem } from '../../service/guestLink';
import { simplify } from '../../service/share';
import { selectShare, shareFields } from './selectShare';

export const addsInvitee = true;

export const description: INodeProperties[] = [...shareFields, simplifyField, callOptionsField()];

export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const parameters = parametersOf(run.context, itemIndex, run.hint);
	const isSimplified = parameters.boolean(simplifyField);
	const { share, requestId } = orFail(run.context, await selectShare(run, parameters).read());
	const fields = isSimplified ? simplify(share) : share;
	return requestId === null ? fields : requestItem(run.connection.collectUrl, requestId, fields);
}
