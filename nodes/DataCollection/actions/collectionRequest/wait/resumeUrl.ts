import type { IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL } from '../../../credential/connection';
import type { Run } from '../../operation';
import { inputError } from '../../parameters';

/** The last segment of the resume URL, so that no other Wait node receives our notifications. */
export const RESUME_PATH = 'data-collection';

/** The address where the service notifies this execution. n8n's token stays in the query. */
export function resumeUrlOf({ context }: Run, itemIndex: number): string {
	const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex)));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${RESUME_PATH}`;
	return url.href;
}

/** One check for all items of an execution, because n8n prepares a virtual machine for it. */
const checks = new WeakMap<Run, Promise<void>>();

/**
 * Throws a NodeOperationError if the credential takes fields from the execution's data: for a
 * webhook, n8n reads the credential without that data, so no notification could be verified.
 * Without `connectionInputData`, n8n reads it here in the same way.
 */
export async function assertWebhooksCanRead(run: Run): Promise<void> {
	const checking = checks.get(run) ?? check(run);
	checks.set(run, checking);
	await checking;
}

async function check({ context, connection }: Run): Promise<void> {
	const asWebhook = Object.create(context, {
		connectionInputData: { value: undefined },
	}) as IExecuteFunctions;
	const read = await asWebhook.getCredentials(CREDENTIAL).catch(() => undefined);
	if (JSON.stringify(read) === JSON.stringify(connection.credential)) return;
	const message =
		'A field of the credential uses workflow data, which is not available when a notification arrives';
	const advice =
		'When a notification ends the wait, n8n reads the credential without any workflow data. In the Data Collection API credential, enter fixed values, or expressions that do not use workflow data.';
	throw inputError({ context }, 0, message, advice);
}
