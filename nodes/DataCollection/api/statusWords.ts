import type { ApiCall } from './types';
import type { Failure } from './retry';

/** The text that n8n shows: what happened, then what to do. */
export type Words = readonly [message: string, description: string];

/** What the failed call tried to read or create. */
export type FailedCall = Pick<ApiCall, 'method' | 'subject' | 'id'> & { environment: string };

const LONGEST_ID = 100;

/** The request ID in a test notification, unless somebody enters another. No collection request has it. */
export const MADE_UP_ID = '7e577e577e577e577e577e57';

/** Explains a status other than 2xx. */
export function statusWords(
	call: FailedCall,
	{ status, retryAfter = Infinity }: Extract<Failure, { kind: 'status' }>,
): Words {
	const pause =
		retryAfter === Infinity ? 'later' : `in ${Math.ceil(retryAfter / 1000)} seconds or later`;
	if (status >= 300 && status < 400) {
		return [
			'The service responded with a redirect, which is not followed',
			'Following it would send the API key to another address. Enter the address that the redirect points to as the API Base URL in the credential.',
		];
	}
	if (status === 429) {
		return [
			'The service received too many requests',
			`Try again ${pause}, and lower Concurrency under Options.`,
		];
	}
	if (status === 500) {
		return [
			'Something went wrong inside the service',
			`Try again ${pause}. If this keeps happening, contact the provider of the service.`,
		];
	}
	if (status > 500 || status === 408) {
		return ['The service is temporarily unavailable', `Try again ${pause}.`];
	}
	if (status === 404 && call.id === MADE_UP_ID) return OF_A_TEST;
	return (
		refusalWords(call)[status] ?? [
			'The service refused the request',
			'Correct the parameters of this node, then run it again.',
		]
	);
}

const OF_A_TEST: Words = [
	'This was a test notification: no collection request has its made-up ID',
	'To test a workflow that reads the collection request, enter the ID of a real one as Request ID in Send Test.',
];

/** A create may name a wrong template or child account; a read may name a wrong ID. */
function refusalWords(call: FailedCall): Partial<Record<number, Words>> {
	const { subject, environment } = call;
	const isCreate = call.method === 'POST';
	const wanted = isCreate ? `the ${subject}` : `the ${subject} ${shownId(call)}`;
	const check = `Check API Key, Token ID and Environment (${environment}) in the credential`;
	return {
		401: ['The API key or the token ID was refused', `${check}.`],
		403: [
			`The API key is not allowed to ${isCreate ? 'create' : 'read'} ${wanted}`,
			`${check}, and whether your account is allowed to do this.`,
		],
		404: isCreate
			? [
					'The service does not know this address',
					`Check the API Base URL, the template ID and the child account ID. Wrong environment? The credential is set to ${environment}.`,
				]
			: [
					`The service does not know ${wanted}`,
					`Check the ID: it must be the ID of a ${subject}, and not of a template, for example. Wrong environment? The credential is set to ${environment}, which does not know the IDs of the other environment.`,
				],
		409: [
			'The service refused the request because it conflicts with the current state',
			`Read ${wanted} to see its state, then decide how to continue.`,
		],
		410: isCreate
			? [
					'The service no longer accepts this request',
					'Check the template ID and the child account ID: one of them may have been deleted.',
				]
			: [`The service no longer has ${wanted}`, 'It was deleted. Stop using this ID.'],
	};
}

/** The ID in the call, shortened and in quotes. */
export const shownId = ({ id = '' }: FailedCall) =>
	`"${id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id}"`;
