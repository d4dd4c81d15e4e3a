import type { IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { type Connection, CREDENTIAL } from '../service/connection';
import { getConnection } from '../shared/getConnection';

/** Milliseconds. */
const REMEMBERED_FOR = 2_000;
const REMEMBERED_NODES = 100;

const remembered = new Map<string, { connection: Promise<Connection>; until: number }>();

/** n8n prepares a virtual machine for each read, so deliveries that arrive together share one. */
export async function getTriggerConnection(context: IWebhookFunctions): Promise<Connection> {
	if (context.getMode() !== 'webhook') return await getConnection(context);
	const { id: nodeId, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, nodeId, credentials?.[CREDENTIAL]]);
	const earlier = remembered.get(key);
	if (earlier !== undefined && clock.now() < earlier.until) return await earlier.connection;

	forgetOld(clock.now());
	const own = {
		connection: getConnection(context),
		until: clock.now() + REMEMBERED_FOR,
	};
	remembered.set(key, own);
	own.connection.catch(() => {
		if (remembered.get(key) === own) remembered.delete(key);
	});
	return await own.connection;
}

/** Also drops the secrets of triggers that get no more deliveries. */
function forgetOld(now: number): void {
	for (const [key, { until }] of remembered) {
		if (until <= now || remembered.size >= REMEMBERED_NODES) remembered.delete(key);
	}
}
