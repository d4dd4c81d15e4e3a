import { Failure } from '../shared/failure.mts';
import { actionType, credentialType, readExample, triggerUrl } from './examples.mts';
import { withCredential, withParameters } from './examples.mts';
import { N8nRestError } from './request.mts';
import type { N8nRest } from './rest.mts';
import { readState, writeState, type State } from './state.mts';
import type { Credential, Owner, Workflow } from './types.mts';

/** Who owns every sandbox n8n; it listens on loopback only. */
export const owner: Owner = {
	email: 'owner@example.com',
	password: 'Sandbox123',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

/** The sandbox accepts any template ID; a real service knows its own. */
const templateId = 'sandbox-template';

export interface Service {
	/** API base URL and collect URL. */
	url: string;
	apiKey: string;
	tokenId: string;
}

export interface WorkspaceOptions {
	rest: N8nRest;
	n8nUrl: string;
	userFolder: string;
	service: Service;
}

export interface Workspace {
	credential: Credential;
	/** Creates a collection request when it is run. */
	createRequest: Workflow;
	/** Published: starts when a request is completed. */
	onCompleted: Workflow;
	/** Production URL of the trigger in `onCompleted`. */
	triggerUrl: string;
	webhookSecret: string;
}

/** Sets up the owner, or logs in when there is one. */
export async function signIn(rest: N8nRest): Promise<void> {
	if (await rest.needsOwner()) return await rest.setUpOwner(owner);
	try {
		await rest.logIn(owner);
	} catch (error) {
		if (!(error instanceof N8nRestError) || error.status !== 401) throw error;
		throw new Failure(
			`n8n does not accept ${owner.email} with the password ${owner.password}: set it back in n8n, or remove the folder with n8n's data to start afresh.`,
		);
	}
}

function addresses({ url }: Service) {
	return { environment: 'staging', stagingBaseUrl: url, stagingCollectUrl: url };
}

async function ensureCredential(options: WorkspaceOptions, state: State): Promise<Credential> {
	const { rest, service } = options;
	const known = (await rest.listCredentials()).find(({ id }) => id === state.credentialId);
	if (known === undefined) {
		return await rest.createCredential('Data Collection (Sandbox)', credentialType, {
			...addresses(service),
			productionBaseUrl: '',
			productionCollectUrl: '',
			apiKey: service.apiKey,
			tokenId: service.tokenId,
			webhookSecret: state.webhookSecret,
			previousWebhookSecrets: '',
		});
	}
	if (state.serviceUrl === service.url) return known;
	// The service has moved to another port since; only its addresses follow.
	const { data } = await rest.getCredential(known.id);
	return await rest.updateCredential(known, { ...data, ...addresses(service) });
}

async function findKnown(rest: N8nRest, id: string | undefined): Promise<Workflow | undefined> {
	return id === undefined ? undefined : await rest.findWorkflow(id);
}

async function ensureOnCompleted(
	{ rest }: WorkspaceOptions,
	state: State,
	credential: Credential,
): Promise<Workflow> {
	const known = await findKnown(rest, state.onCompletedId);
	if (known !== undefined) return known;
	const example = withCredential(await readExample('on-completed'), credential);
	return await rest.activate(await rest.createWorkflow(example));
}

async function ensureCreateRequest(
	{ rest }: WorkspaceOptions,
	state: State,
	credential: Credential,
	webhookUrl: string,
): Promise<Workflow> {
	const known = await findKnown(rest, state.createRequestId);
	if (known === undefined) {
		const example = withCredential(await readExample('create-request'), credential);
		return await rest.createWorkflow(
			withParameters(example, actionType, { templateId, webhookUrl }),
		);
	}
	const pointsToOldUrl = known.nodes.some(
		({ parameters }) => parameters.webhookUrl === state.triggerUrl,
	);
	if (!pointsToOldUrl || state.triggerUrl === webhookUrl) return known;
	const { nodes } = withParameters(known, actionType, { webhookUrl });
	return await rest.updateWorkflow(known.id, { nodes, connections: known.connections });
}

/**
 * Makes the owner, the credential and both example workflows. A second call creates only what
 * is missing and leaves what the person has changed, but for addresses that have moved.
 */
export async function prepareWorkspace(options: WorkspaceOptions): Promise<Workspace> {
	const { rest, n8nUrl, userFolder, service } = options;
	const state = await readState(userFolder);
	// Kept before n8n knows the secret: an interrupted set-up must not leave it behind.
	await writeState(userFolder, state);
	await signIn(rest);
	const credential = await ensureCredential(options, state);
	const onCompleted = await ensureOnCompleted(options, state, credential);
	const url = triggerUrl(n8nUrl, onCompleted);
	const createRequest = await ensureCreateRequest(options, state, credential, url);
	await writeState(userFolder, {
		webhookSecret: state.webhookSecret,
		serviceUrl: service.url,
		triggerUrl: url,
		credentialId: credential.id,
		createRequestId: createRequest.id,
		onCompletedId: onCompleted.id,
	});
	const { webhookSecret } = state;
	return { credential, createRequest, onCompleted, triggerUrl: url, webhookSecret };
}
