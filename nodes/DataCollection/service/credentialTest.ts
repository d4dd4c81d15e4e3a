import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { checkCredential } from './connection';

/** An ID that cannot exist, so the test finds nothing and creates nothing. */
export const TEST_PATH = '/di/collection-request/000000000000000000000000';

const PRACTICE_PATH = '/data-collection-practice';

/** Milliseconds for the whole test. n8n would wait for five minutes, and again after each byte. */
const TIME_LIMIT = 15_000;

/** Throws all that is wrong with the credential at once. */
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
	// Not 404: n8n itself responds with it if the workflow is not published.
	return { ...request, url: `${baseUrl}/di/practice/ready`, ignoreHttpStatusErrors: false };
}

/** Statuses with which the service may refuse the ID; then it has accepted the keys. */
const ID_REFUSED = [400, 404, 410, 422];

export const UNEXPECTED_STATUSES = Array.from({ length: 400 }, (_, index) => 200 + index).filter(
	(status) => !ID_REFUSED.includes(status),
);

const CHECK = 'check the API Base URL (for Practice, the Practice Service URL)';

/** Without a rule for a status, n8n would show the text of the response. */
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
	// Only for Practice: elsewhere it is a refused ID.
	if (status === 404) {
		return 'Publish the workflow of the practice service. If your n8n has another address, replace http://localhost:5678 in Practice Service URL.';
	}
	if (status === 429) return 'The service received too many requests. Try again in a minute.';
	return status < 500
		? `The service refused the request (HTTP ${status}): ${CHECK}`
		: `Something went wrong inside the service (HTTP ${status}). Try again later.`;
}

const NO_OBJECT = `Something other than the service responded, such as a web page, or nothing: ${CHECK}`;

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * n8n compares the first character of the body, so a text that begins with a letter outside ASCII
 * passes. `encoding` in the request keeps n8n from parsing the body: its test crashes at an empty
 * list.
 */
export const TEST_RULES = [
	...[...UNEXPECTED_STATUSES, 404].map((value) => ({
		type: 'responseCode',
		properties: { value, message: aboutStatus(value) },
	})),
	...[undefined, ...ASCII.filter((character) => character !== '{')].map((value) => ({
		type: 'responseSuccessBody',
		properties: { key: '0', value, message: NO_OBJECT },
	})),
];
