/**
 * What the test reads: a collection request with an ID that none has, so that it finds nothing and
 * never creates anything. `authenticate` puts the API Base URL before it.
 */
export const TEST_PATH = '/di/collection-request/000000000000000000000000';

/** With these, a service may refuse the ID, which the API does not tell: the keys were accepted. */
const ID_REFUSED = [400, 404, 410, 422];

/** All others. A success, too: the service cannot have a collection request with this ID. */
export const UNEXPECTED_STATUSES = Array.from({ length: 400 }, (_, index) => 200 + index).filter(
	(status) => !ID_REFUSED.includes(status),
);

const NOT_THE_API =
	'Check the API Base URL (for Practice, the Practice Service URL): it may point to a login page, to the guest page or to another server.';

/** What the test says about a status. Of one without a rule, n8n would show the text that came with it. */
function messageFor(status: number): string {
	if (status < 300) {
		return `The service responded as if it had a collection request that cannot exist, or with a web page instead of data. ${NOT_THE_API}`;
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
		? `The service refused the request (HTTP ${status}). Check the API Base URL.`
		: `Something went wrong inside the service (HTTP ${status}). Try again later.`;
}

/** The rules of the test about a status. */
export const STATUS_RULES = [...UNEXPECTED_STATUSES, 404].map((value) => ({
	type: 'responseCode',
	properties: { value, message: messageFor(value) },
}));

/**
 * A text that begins like this is not the JSON object with which the API responds. n8n's rules cannot
 * say "anything but `{`", so a text that begins with a letter outside ASCII passes.
 */
const OTHER_BEGINNINGS = [
	undefined,
	...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
		(character) => character !== '{',
	),
];

const bodyMessage = (beginning?: string) => {
	if (beginning === undefined) return 'The service responded with nothing';
	if (beginning === '<') return 'The service responded with a web page instead of data';
	return 'Something other than the API of the service responded';
};

/**
 * The rules of the test about a body. n8n compares a part of it with a value, here the first character
 * of the text: `encoding` keeps n8n from parsing it, because n8n's test crashes at an empty list.
 */
export const BODY_RULES = OTHER_BEGINNINGS.map((value) => ({
	type: 'responseSuccessBody',
	properties: { key: '0', value, message: `${bodyMessage(value)}. ${NOT_THE_API}` },
}));
