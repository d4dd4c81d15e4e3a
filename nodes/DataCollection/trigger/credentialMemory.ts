import type { IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { getConnection } from '../requests/getConnection';
import { type Connection, CREDENTIAL } from '../service/connection';

/** How long triggers remember a credential, in milliseconds, and for how many nodes at most. */
const REMEMBERED_FOR = 2_000;
const REMEMBERED_NODES = 100;

const remembered = new Map<string, { connection: Promise<Connection>; until: number }>();

/**
 * Gets the credential for a delivery to a trigger. In production, it is remembered for 2 seconds:
 * n8n prepares a virtual machine for each read, so deliveries that arrive together share one. A
 * failed read is not remembered. Test and manual executions read it every time.
 */
export async function getTriggerConnection(context: IWebhookFunctions): Promise<Connection> {
	if (context.getMode() !== 'webhook') return await getConnection(context);
	const { id: nodeId, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, nodeId, credentials?.[CREDENTIAL]]);
	const known = remembered.get(key);
	if (known !== undefined && clock.now() < known.until) return await known.connection;

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

/** Makes room for one more. Of a trigger that gets no more deliveries, the secrets go here, too. */
function forgetOld(now: number): void {
	for (const [key, { until }] of remembered) {
		if (until <= now || remembered.size >= REMEMBERED_NODES) remembered.delete(key);
	}
}
