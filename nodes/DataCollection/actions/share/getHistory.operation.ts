import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { objectsOf } from '../../api/share';
import type { Run } from '../operation';
import { callOptionsField } from '../parameters';
import { readOnce } from '../readOnce';
import { selectShare, shareFields } from './selectShare';

export const description: INodeProperties[] = [...shareFields, callOptionsField()];

/** Reads a share and outputs one item per entry of its history, the oldest first. */
export async function prepare(run: Run, itemIndex: number) {
	const { key, read } = selectShare(run, itemIndex);
	return readOnce(run, key, 'history is', async () => {
		const { share, requestId, guestLink } = await read();
		const about = { requestId, guestLink, shareId: share._id };
		return oldestFirst(objectsOf(share.updateLogs)).map((log, index) => {
			const [{ name = null } = {}] = objectsOf([log.updatedByAccountSnapshot]);
			return {
				...about,
				position: index + 1,
				updateTime: log.updateTime ?? null,
				remark: log.remark ?? null,
				updatedBy: name,
				updatedById: log.updatedByAccount_id ?? null,
				updatedByType: log.updatedByAccountType ?? null,
			};
		});
	});
}

/** The only form of a time that the API shows (Resources). The order of others is not known. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const timeOf = ({ updateTime }: IDataObject) =>
	typeof updateTime === 'string' && TIMESTAMP.test(updateTime) ? Date.parse(updateTime) : NaN;

/** Sorts by time if each entry has one that can be compared. Otherwise keeps the service's order. */
const oldestFirst = (logs: IDataObject[]) =>
	logs.some((log) => Number.isNaN(timeOf(log)))
		? logs
		: [...logs].sort((one, other) => timeOf(one) - timeOf(other));
