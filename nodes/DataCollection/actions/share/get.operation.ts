import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parametersOf } from '../../n8n/parameters';
import { requestItem } from '../../service/collectionRequest';
import { simplify } from '../../service/share';
import { callOptionsField } from '../../shared/callOptions';
import { simplifyField } from '../../shared/fields';
import type { Run } from '../../shared/operation';
import { orThrowFailure } from '../../shared/readItems';
import { shareTask, shareFields } from './shareTask';

export const addsInvitee = true;

export const description: INodeProperties[] = [...shareFields, simplifyField, callOptionsField()];

export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const parameters = parametersOf(run.context, itemIndex, run.hint);
	const isSimplified = parameters.boolean(simplifyField);
	const { share, requestId } = orThrowFailure(run.context, await shareTask(run, parameters).read());
	const fields = isSimplified ? simplify(share) : share;
	return requestId === null ? fields : requestItem(run.connection.collectUrl, requestId, fields);
}
