import type { Json } from '../../../sandbox/n8n/types.mts';
import { collectionRequestOf, newRequest, type Created, type Stored } from './requests.mts';

/** The API key and token ID that the service accepts. */
export const KEYS = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };

/** A call of the API, as it arrived. */
export interface Call {
	method: string;
	/** The path, e.g. `/di/share/1`. */
	url: string;
	headers: Partial<Record<string, string | string[]>>;
	body: Json;
}

/** The response to a call, as JSON. */
export interface Reply {
	status: number;
	/** The text of the status line. */
	reason?: string;
	body?: Json;
	headers?: Record<string, string>;
	/** Sent in place of the JSON. */
	text?: string;
}

const refuse = (status: number, message: string): Reply => ({ status, body: { message } });

/** The response of the service to a call (Endpoints); a create adds to what is stored. */
export function responseTo({ method, url, headers, body }: Call, stored: Stored[]): Reply {
	const { authorization, tokenid } = headers;
	const isKnown = authorization === `Bearer ${KEYS.apiKey}` && tokenid === KEYS.tokenId;
	if (!isKnown) return refuse(401, 'The service does not know this key.');
	const [, resource, id] = /^\/di\/([^/]+)\/([^/]*)$/.exec(url) ?? [];
	const isRequest = resource === 'collection-request';
	if (method === 'POST' && isRequest && id === '') return create(body, stored);
	const found = isRequest
		? stored.filter((request) => request.id === id).map(collectionRequestOf)
		: stored.flatMap(({ share }) => (share?._id === id ? share : []));
	const [resourceFound] = method === 'GET' ? found : [];
	return resourceFound
		? { status: 200, body: structuredClone(resourceFound) }
		: refuse(404, 'The service has nothing with this ID.');
}

function create(body: Json, stored: Stored[]): Reply {
	const wrong = wrongIn(body);
	if (wrong !== undefined) return refuse(400, wrong);
	const request = newRequest(body as unknown as Created);
	stored.push(request);
	return { status: 201, body: { _id: request.id } };
}

/** The types of the fields of a create, and of a participant in it (Create body). */
const TYPES = {
	templateId: 'string',
	childAccountId: 'string',
	minimumParticipants: 'number',
	maximumParticipants: 'number',
	participantList: 'object',
	webhookUrl: 'string',
	webhookSecret: 'string',
	webhookIdentifier: 'string',
};
const PERSON = { email: 'string', phoneNumber: 'string', name: 'string', isAdmin: 'boolean' };

/** The first field that the API does not describe, or that has another type. */
const oddIn = (given: Json, types: Record<string, string>) =>
	Object.entries(given).find(([name, value]) => types[name] !== typeof value)?.[0];

/** What is wrong with the body of a create, in a sentence. */
function wrongIn(body: Json): string | undefined {
	if (!body.templateId) return 'templateId is missing.';
	const odd = oddIn(body, TYPES);
	if (odd !== undefined) return `${odd} is not as described.`;
	const { participantList = [], webhookUrl, webhookSecret } = body as unknown as Created;
	const isListed = (person: Json) => oddIn(person, PERSON) === undefined;
	if (!Array.isArray(participantList) || !participantList.every(isListed)) {
		return 'participantList is not as described.';
	}
	return webhookUrl && !webhookSecret ? 'webhookSecret is missing.' : undefined;
}
