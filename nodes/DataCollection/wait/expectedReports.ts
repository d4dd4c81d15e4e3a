import { createHash } from 'node:crypto';

import type { Explanation } from '../basics/explanation';
import { outputsOf } from '../n8n/earlierItems';
import { userError } from '../n8n/errors';
import { isPinned, notesUnder } from '../n8n/executionData';
import { isTool } from '../n8n/tool';
import { createsBefore } from '../shared/createAndWaitNodes';
import type { Run } from '../shared/operation';
import { requestIdsOf } from './pairing';
import type { Readings, Wait } from './waitState';

/** Tells secrets apart and cannot be reversed. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8);

/**
 * The request IDs whose notifications this execution gets, by execution ID and hash of the secret.
 */
const notesOf = (run: Run) => notesUnder<string[]>(run.context, 'dataCollectionReported');

export function noteExpectedReports(run: Run, requestId: string): void {
	const { signingSecret } = run.connection;
	if (!signingSecret.ok) return;
	const target = `${run.context.getExecutionId()} ${hashOf(signingSecret.value)}`;
	(notesOf(run)[target] ??= []).push(requestId);
}

function areReportsExpected(run: Run, requestIds: string[], secrets?: string[]): boolean {
	const notes = Object.entries(notesOf(run)).filter(([target]) => {
		const [executionId, secret = ''] = target.split(' ');
		return executionId === run.context.getExecutionId() && (secrets?.includes(secret) ?? true);
	});
	const reported = new Set(notes.flatMap(([, ids]) => ids));
	return requestIds.every((id) => reported.has(id));
}

/**
 * Throws a UserError if no notification can end this wait. `seen` is what it has read until now.
 */
export function assertReportsExpected(run: Run, wait: Wait, seen?: Readings): void {
	const { requestIds } = wait;
	if (!areReportsExpected(run, requestIds)) {
		throw userError(seen === undefined ? notReported(run) : notSeen(run, wait, seen));
	}
	const secrets = run.connection.verificationSecrets.map(hashOf);
	if (areReportsExpected(run, requestIds, secrets)) return;
	const which =
		secrets.length === 0 ? 'no webhook secret' : 'another webhook secret than that of Create';
	const message = `Nothing can end this wait: its credential has ${which}`;
	const description =
		'Choose the credential of Create in this node, or enter its webhook secret under Previous Webhook Secrets.';
	throw userError({ message, description });
}

/** Step by step in the editor, reading again makes sense: Create ran in another execution. */
export function assertCanPoll(run: Run, wait: Wait): void {
	const { requestIds } = wait;
	const mayReport = createsBefore(run.context).some(({ parameters }) =>
		/^(wait$|=)/.test(String(parameters?.notify)),
	);
	if (!mayReport || areReportsExpected(run, requestIds)) return assertReportsExpected(run, wait);
	const pinned = createsBefore(run.context)
		.filter(({ name }) => isPinned(run.context, name))
		.find(({ name }) =>
			requestIdsOf(outputsOf(run.context, name, 0).flat()).some((id) => requestIds.includes(id)),
		);
	if (pinned === undefined) return;
	const message = `Nothing can end this wait: the data of "${pinned.name}" is pinned, so no status changes are reported to this execution`;
	const description = `To look at the same collection requests again, click Execute step in this node. For new ones, unpin "${pinned.name}". Or turn on Limit Wait Time: this node then looks for itself until the limit, for up to ten minutes.`;
	throw userError({ message, description });
}

function notSeen(run: Run, { requestIds, reached }: Wait, seen: Readings): Explanation {
	const unreached = requestIds.filter((id) => !reached.has(id));
	const shown = unreached.slice(0, 3).map((id) => {
		const read = seen.get(id);
		const status = read?.ok ? (read.value.shareStatus ?? 'without a status') : 'unknown';
		return `"${id}" is ${status}`;
	});
	const more = unreached.length > shown.length ? [`${unreached.length - shown.length} more`] : [];
	const message = `After ten minutes of looking, ${reached.size} of ${requestIds.length} collection requests have the awaited status: ${[...shown, ...more].join(', ')}`;
	const description =
		'Another execution has created them, so no status changes are reported to this one. Click Execute step in this node when they have the status, or execute the whole workflow from its trigger.';
	return { message: run.connection.redactor.text(message), description };
}

function notReported(run: Run): Explanation {
	const [create] = createsBefore(run.context).reverse();
	const where = create === undefined ? 'the Create that made them' : `"${create.name}"`;
	const message = 'Nothing can end this wait: no status changes are reported to this execution';
	const again = isTool(run.context)
		? 'at the limit, the agent can call this tool again, which'
		: "lead Time's Up back to this node, which";
	const description = `Wait for collection requests of this execution, with Report Status Changes To in ${where} on "A Wait Later in This Workflow, If Any". For others, and when an execution is retried, turn on Limit Wait Time: ${again} then reads the status itself.`;
	return { message, description };
}
