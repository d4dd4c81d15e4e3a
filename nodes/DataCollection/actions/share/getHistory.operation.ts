import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemResult } from '../../n8n/itemResults';
import { parametersOf } from '../../n8n/parameters';
import { objectsOf } from '../../service/share';
import { callOptionsField } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { mapTask, readLists } from '../../shared/readItems';
import { type FoundShare, shareTask, shareFields } from './shareTask';

export const addsInvitee = true;

export const description: INodeProperties[] = [...shareFields, callOptionsField()];

/** Reads a share and outputs one item per entry of its history, the oldest first. */
export const executeAll = async (run: Run): Promise<ItemResult[][]> => [
	await readLists(run, (itemIndex) =>
		mapTask(shareTask(run, parametersOf(run.context, itemIndex, run.hint)), entriesOf),
	),
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

/** Entries whose time cannot be parsed come first. */
const timeOf = ({ updateTime }: IDataObject) => Date.parse(String(updateTime)) || 0;

const oldestFirst = (logs: IDataObject[]) => logs.sort((a, b) => timeOf(a) - timeOf(b));
