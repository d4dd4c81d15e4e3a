import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { checkCredential } from './connection';

/**
 * What the test reads: a collection request with an ID that none has, so that it finds nothing and
 * never creates anything. {@link testRequestOf} puts the API Base URL before it.
 */
export const TEST_PATH = '/di/collection-request/000000000000000000000000';

/** Where the practice service receives everything, below n8n's own path for webhooks. */
const PRACTICE_PATH = '/data-collection-practice';

/** Milliseconds for the whole test. n8n would wait for five minutes, and again after each byte. */
const TIME_LIMIT = 15_000;

/** The request of the test, by the same rules as in the nodes. Throws all that is wrong at once. */
export function testRequestOf(
	credential: ICredentialDataDecryptedObject,
): Partial<IHttpRequestOptions> {
	const checked = checkCredential(credential);
	if (!checked.ok) throw new Error(checked.error.message);
	const { baseUrl, environment } = checked.value;
	const isPractice = environment === 'practice';
	if (isPractice && !baseUrl.endsWith(PRACTICE_PATH)) {
		const remedy = 'replace only http://localhost:5678 in it';
		throw new Error(`The Practice Service URL must end with ${PRACTICE_PATH}: ${remedy}`);
	}
	const limit = new AbortController();
	void clock.timeout(TIME_LIMIT).then(() => limit.abort());
	const request = { url: `${baseUrl}${TEST_PATH}`, abortSignal: limit.signal };
	if (!isPractice) return request;
	// A 404 tells nothing here: n8n responds with it, too, if the workflow is not published.
	return { ...request, url: `${baseUrl}/di/practice/ready`, ignoreHttpStatusErrors: false };
}

/** With these, a service may refuse the ID, which the API does not tell: the keys were accepted. */
const ID_REFUSED = [400, 404, 410, 422];

/** All others. A success, too: the service cannot have a collection request with this ID. */
export const UNEXPECTED_STATUSES = Array.from({ length: 400 }, (_, index) => 200 + index).filter(
	(status) => !ID_REFUSED.includes(status),
);

const CHECK = 'check the API Base URL (for Practice, the Practice Service URL)';

/** What the test says about a status. Of one without a rule, n8n would show the text that came with it. */
function aboutStatus(status: number): string {
	if (status < 300) {
		return `The service responded as if it had a collection request that cannot exist, or with a web page instead of data: ${CHECK}`;
	}
	if (status < 400) {
		return 'The service responded with a redirect, which is not followed. Enter the address that it points to as the API Base URL.';
	}
	if (status === 401 || status === 403) {
		return 'The API key or the token ID was refused. Check both, and make sure that Environment is the one they were issued for.';
	}
	// It ends the test for Practice alone.
	if (status === 404) {
		return 'Publish the workflow of the practice service. If your n8n has another address, replace http://localhost:5678 in Practice Service URL.';
	}
	if (status === 429) return 'The service received too many requests. Try again in a minute.';
	return status < 500
		? `The service refused the request (HTTP ${status}): ${CHECK}`
		: `Something went wrong inside the service (HTTP ${status}). Try again later.`;
}

/** What the test says about a body that is not a JSON object, by its first character, if it has one. */
function aboutBody(beginning?: string): string {
	if (beginning === undefined) return `The service responded with nothing: ${CHECK}`;
	return beginning === '<'
		? `A web page responded instead of the service, such as a login page or the guest page: ${CHECK}`
		: `Something other than the service responded: ${CHECK}`;
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * What the test says in place of the status or of success. n8n compares a part of the body with a value,
 * here the first character of the text, so one that begins with a letter outside ASCII passes. The
 * request's `encoding` keeps n8n from parsing the body, because n8n's test crashes at an empty list.
 */
export const TEST_RULES = [
	...[...UNEXPECTED_STATUSES, 404].map((value) => ({
		type: 'responseCode',
		properties: { value, message: aboutStatus(value) },
	})),
	...[undefined, ...ASCII.filter((character) => character !== '{')].map((value) => ({
		type: 'responseSuccessBody',
		properties: { key: '0', value, message: aboutBody(value) },
	})),
];
