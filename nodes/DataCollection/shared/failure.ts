import type { Explanation, NetworkFailure } from './networkFailure';
import { explainNetwork, isNeverSent } from './networkFailure';

/** A status other than 2xx; `retryAfter` is the pause it asks for, in milliseconds. */
interface StatusFailure {
	kind: 'status';
	status: number;
	said?: string;
	retryAfter?: number;
}

/** Why a call gave no usable answer. */
export type Failure =
	| StatusFailure
	/** A 2xx whose body is not an object with a text `_id`, or not one in another way. */
	| { kind: 'unexpected'; status: number; content?: 'web page' | 'too large' | 'share ID' }
	| NetworkFailure;

/** What a failed call was about, to word its message. */
export interface FailedCall {
	request: 'read' | 'create';
	/** What was asked for, e.g. `collection request`. */
	subject: string;
	id?: string;
	environment: string;
}

/** Statuses with which the service refuses a request, so that it has certainly created nothing. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408;

/**
 * Whether a create may have happened although no proof of it arrived. Reads never leave anything
 * behind; the interface shows no idempotency key, so such a create must not be repeated blindly.
 */
export function isAmbiguous({ request }: Pick<FailedCall, 'request'>, failure: Failure): boolean {
	if (request === 'read') return false;
	if (failure.kind === 'network') return !isNeverSent(failure);
	return failure.kind === 'unexpected' || !isRefusal(failure.status);
}

/** Words a failure for the person building the workflow. */
export function explain(call: FailedCall, failure: Failure): Explanation {
	const { message, description } = explainKind(call, failure);
	if (!isAmbiguous(call, failure)) return { message, description };
	return {
		message: `${message}. The collection request may exist all the same`,
		description: `Check whether it was created before you run this again, or participants may be asked twice. ${description}`,
	};
}

function explainKind(call: FailedCall, failure: Failure): Explanation {
	if (failure.kind === 'network') return explainNetwork(failure);
	if (failure.kind === 'unexpected') return explainUnexpected(failure);
	const { message, description } = explainStatus(call, failure);
	return {
		message: `${message} (HTTP ${failure.status})`,
		description: failure.said ? `${quoted(failure.said)} ${description}` : description,
	};
}

function explainUnexpected({ status, content }: Extract<Failure, { kind: 'unexpected' }>) {
	if (content === 'web page') {
		return {
			message: `The service answered with a web page instead of data (HTTP ${status})`,
			description:
				'Is this the API base URL? Check it in the credential: a login page or the guest page answers like this.',
		};
	}
	if (content === 'too large') {
		return {
			message: `The service sent a response of more than 64 MiB (HTTP ${status})`,
			description:
				'It was not read to its end. Check the API base URL in the credential; if it is right, tell the provider of the service.',
		};
	}
	if (content === 'share ID') {
		return {
			message: `The service sent a collection request whose share ID is not a text (HTTP ${status})`,
			description: 'Tell the provider of the service. Its share cannot be read until then.',
		};
	}
	return {
		message: `The service sent an unexpected response without an ID (HTTP ${status})`,
		description:
			'The answer was empty, cut off or something other than a resource of the service. Check the API base URL in the credential, then try again.',
	};
}

function explainStatus(call: FailedCall, { status, retryAfter }: StatusFailure): Explanation {
	if (status >= 300 && status < 400) {
		return {
			message: 'The service answered with a redirect, which is not followed',
			description:
				'The key must not travel to another address. Enter the address that the redirect leads to as API base URL in the credential.',
		};
	}
	if (status === 429) {
		return {
			message: 'The service asks for fewer requests at a time',
			description: `Try again ${pauseText(retryAfter)}, and lower Concurrency under Options.`,
		};
	}
	if (status === 500) {
		return {
			message: 'Something went wrong inside the service',
			description: `Try again ${pauseText(retryAfter)}. If it stays like this, tell the provider of the service.`,
		};
	}
	if (status > 500 || status === 408) {
		return {
			message: 'The service is not able to answer at the moment',
			description: `Try again ${pauseText(retryAfter)}.`,
		};
	}
	const what = isGone(status) ? explainGone(call, status) : explainRefusal(call)[status];
	return (
		what ?? {
			message: 'The service refused the request',
			description: 'Correct the parameters of this node, then run it again.',
		}
	);
}

function explainRefusal(call: FailedCall): Readonly<Record<number, Explanation>> {
	const check = `Check API Key, Token ID and Environment (${call.environment}) in the credential`;
	return {
		401: { message: 'The API key or the token ID was refused', description: `${check}.` },
		403: {
			message: `The API key is not allowed to ${call.request} ${wanted(call)}`,
			description: `${check}, and whether this account may do this.`,
		},
		409: {
			message: 'The service refused the request because it conflicts with the current state',
			description: `Read ${wanted(call)} to see its state, then decide how to go on.`,
		},
	};
}

const isGone = (status: number) => status === 404 || status === 410;

/** What a create names is the template and the child account, what a read names is the ID. */
function explainGone(call: FailedCall, status: number): Explanation {
	const { environment, request } = call;
	if (request === 'create') {
		return status === 404
			? {
					message: 'The service does not know this address',
					description: `Check the API base URL, the template ID and the child account ID. Wrong environment? The credential is set to ${environment}.`,
				}
			: {
					message: 'The service no longer accepts this request',
					description: 'Check the template ID and the child account ID: one may have been deleted.',
				};
	}
	return status === 404
		? {
				message: `The service does not know ${wanted(call)}`,
				description: `Check the ID. Wrong environment? The credential is set to ${environment}, where an ID of the other environment is unknown.`,
			}
		: {
				message: `The service no longer has ${wanted(call)}`,
				description: 'It was deleted. Leave this ID out.',
			};
}

const quoted = (said: string) => `The service says: "${said}"${/[.!?…]$/.test(said) ? '' : '.'}`;

const wanted = ({ subject, id }: FailedCall) =>
	id === undefined ? `the ${subject}` : `the ${subject} "${shortened(id)}"`;

const shortened = (id: string) => (id.length > 100 ? `${id.slice(0, 100)}…` : id);

const pauseText = (retryAfter: number | undefined) =>
	retryAfter === undefined || retryAfter === Infinity
		? 'later'
		: `in ${Math.ceil(retryAfter / 1000)} seconds or later`;
