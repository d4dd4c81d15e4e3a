import { Failure } from '../shared/failure.mts';
import { ensureCredentials, type Service } from './credentials.mts';
import { ensureExamples, type Examples } from './ensureExamples.mts';
import type { Credentials } from './examples.mts';
import type { N8nRest } from './rest.mts';
import { readState, writeState, type State } from './state.mts';
import type { Workflow } from './types.mts';

export interface WorkspaceOptions {
	rest: N8nRest;
	n8nUrl: string;
	userFolder: string;
	service: Service;
	/** Where the mailbox takes mails. */
	smtpPort: number;
}

export interface Workspace extends Examples {
	credentials: Credentials;
	webhookSecret: string;
}

/** The workflow of one example; a Failure when there is none of that name. */
export function exampleOf({ examples }: Workspace, name: string): Workflow {
	const found = examples.find((example) => example.name === name);
	if (found === undefined) throw new Failure(`There is no example "${name}".`);
	return found.workflow;
}

/**
 * Makes the credentials and a workflow of every example, in a session of the owner. A second call
 * creates only what is missing and leaves what the person has changed, but for moved addresses.
 */
export async function prepareWorkspace(options: WorkspaceOptions): Promise<Workspace> {
	const { rest, n8nUrl, userFolder, service, smtpPort } = options;
	const state = await readState(userFolder);
	// Written at each step, so that an interrupted set-up goes on where it was.
	const remember = async (changes: Partial<State>) => {
		Object.assign(state, changes);
		await writeState(userFolder, state);
	};
	await remember({});
	const credentials = await ensureCredentials(rest, state, { service, smtpPort });
	await remember({
		serviceUrl: service.url,
		smtpPort,
		credentialId: credentials.dataCollection.id,
		smtpCredentialId: credentials.smtp.id,
	});
	const examples = await ensureExamples({ rest, n8nUrl, state, credentials, remember });
	return { ...examples, credentials, webhookSecret: state.webhookSecret };
}
