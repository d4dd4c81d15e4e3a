import { createHash } from 'node:crypto';

import { parametersOf } from '../../../parameters';
import type { Words } from '../../../result';
import type { Run } from '../../operation';
import { earlierCreates } from '../../workflow';

/** In n8n's context of the flow, which all nodes of an execution share. */
const KEY = 'dataCollectionReported';

/** To which execution the service reports on a collection request, and signed with which secret. */
interface Note {
	executionId: string;
	/** The beginning of the secret's hash. It tells secrets apart and cannot be reversed. */
	secret: string;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8);

/** The notes by request ID. n8n keeps them when it retries an execution, which has an ID of its own. */
const notesOf = ({ context }: Run) =>
	(context.getContext('flow')[KEY] ??= {}) as Partial<Record<string, Note>>;

/** Notes that the service reports on a collection request to this execution. */
export function noteReported(run: Run, requestId: string): void {
	const { signing } = run.connection;
	if (!signing.ok) return;
	const executionId = run.context.getExecutionId();
	notesOf(run)[requestId] = { executionId, secret: hashOf(signing.value) };
}

/**
 * Whether a Create before this node reports to a Wait when the whole workflow runs. Step by step in
 * the editor, it ran in another execution, so there is no note.
 */
export const mayBeReported = (run: Run): boolean =>
	earlierCreates(run).some(({ parameters }) => /^(wait$|=)/.test(String(parameters?.notify)));

/** Throws a NodeOperationError if notifications about one of them cannot end this wait. */
export function assertReported(run: Run, requestIds: string[]): void {
	const { wrong } = parametersOf(run.context, 0);
	const notes = requestIds.map((id) => notesOf(run)[id]);
	const executionId = run.context.getExecutionId();
	if (notes.some((note) => note?.executionId !== executionId)) throw wrong(notReported(run));
	const secrets = run.connection.verificationSecrets.map(hashOf);
	if (notes.every((note) => note && secrets.includes(note.secret))) return;
	const message =
		'Nothing can end this wait: its credential has another webhook secret than that of Create';
	const advice =
		'Choose the credential of Create in this node, or enter its webhook secret under Previous Webhook Secrets.';
	throw wrong({ message, advice });
}

function notReported(run: Run): Words {
	const [create] = earlierCreates(run);
	const where = create === undefined ? 'the Create that made them' : `"${create.name}"`;
	const message = 'Nothing can end this wait: no status changes are reported to this execution';
	const advice = `Wait for collection requests of this execution, with Report Status Changes To in ${where} on "A Wait Later in This Workflow, If Any". For others, and when an execution is retried, turn on Limit Wait Time and lead Timed Out back to this node: it then reads the status itself.`;
	return { message, advice };
}
