import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { objectsOf } from '../../share';
import { eachList } from '../results';
import type { ItemResult, Run } from '../operation';
import { callOptionsField } from '../fields';
import type { FoundShare } from './selectShare';
import { selectShare, shareFields } from './selectShare';

export const description: INodeProperties[] = [...shareFields, callOptionsField()];

/** Reads a share and outputs one item per entry of its history, the oldest first. */
export const executeAll = async (run: Run): Promise<ItemResult[][]> => [
	await eachList(run, (itemIndex) => {
		const { key, read } = selectShare(run, itemIndex);
		return { key, get: async () => entriesOf(await read()) };
	}),
];

const entriesOf = ({ share, requestId, guestLink }: FoundShare): IDataObject[] =>
	oldestFirst(objectsOf(share.updateLogs)).map((log, index) => {
		const [{ name = null } = {}] = objectsOf([log.updatedByAccountSnapshot]);
		return {
			requestId,
			guestLink,
			shareId: share._id,
			position: index + 1,
			updateTime: log.updateTime ?? null,
			remark: log.remark ?? null,
			updatedBy: name,
			updatedById: log.updatedByAccount_id ?? null,
			updatedByType: log.updatedByAccountType ?? null,
		};
	});

/** The only form of a time that the API shows (Resources). The order of others is not known. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const timeOf = ({ updateTime }: IDataObject) =>
	typeof updateTime === 'string' && TIMESTAMP.test(updateTime) ? Date.parse(updateTime) : NaN;

/** Sorts by time if each entry has one that can be compared. Otherwise keeps the service's order. */
const oldestFirst = (logs: IDataObject[]) =>
	logs.some((log) => Number.isNaN(timeOf(log)))
		? logs
		: [...logs].sort((one, other) => timeOf(one) - timeOf(other));
