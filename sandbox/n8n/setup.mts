import { Failure } from '../shared/failure.mts';
import { ensureCredentials, type Service } from './credentials.mts';
import { ensureExamples, type Examples } from './ensureExamples.mts';
import type { Credentials } from './examples.mts';
import type { N8nRest } from './rest.mts';
import { readState, writeState } from './state.mts';
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
	const save = () => writeState(userFolder, state);
	await save();
	const credentials = await ensureCredentials(rest, state, { service, smtpPort });
	const { dataCollection, smtp } = credentials;
	const ids = { credentialId: dataCollection.id, smtpCredentialId: smtp.id };
	Object.assign(state, { ...ids, serviceUrl: service.url, smtpPort });
	await save();
	const examples = await ensureExamples({ rest, n8nUrl, state, credentials, save });
	return { ...examples, credentials, webhookSecret: state.webhookSecret };
}
