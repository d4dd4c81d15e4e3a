import type { ApiCall } from './types';
import type { Failure } from './retry';

/** The text that n8n shows: what happened, then what to do. */
export type Words = readonly [message: string, description: string];

/** What the failed call tried to read or create. */
export type FailedCall = Pick<ApiCall, 'method' | 'subject' | 'id'> & { environment: string };

const LONGEST_ID = 100;

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
			'The key must not travel to another address. Enter the address that the redirect leads to as API base URL in the credential.',
		];
	}
	if (status === 429) {
		return [
			'The service asks for fewer requests at a time',
			`Try again ${pause}, and lower Concurrency under Options.`,
		];
	}
	if (status === 500) {
		return [
			'Something went wrong inside the service',
			`Try again ${pause}. If it stays like this, tell the provider of the service.`,
		];
	}
	if (status > 500 || status === 408) {
		return ['The service is not able to respond at the moment', `Try again ${pause}.`];
	}
	return (
		refusalWords(call)[status] ?? [
			'The service refused the request',
			'Correct the parameters of this node, then run it again.',
		]
	);
}

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
			`${check}, and whether this account may do this.`,
		],
		404: isCreate
			? [
					'The service does not know this address',
					`Check the API base URL, the template ID and the child account ID. Wrong environment? The credential is set to ${environment}.`,
				]
			: [
					`The service does not know ${wanted}`,
					`Check the ID: it must be that of a ${subject}, not of a template, for example. Wrong environment? The credential is set to ${environment}, where an ID of the other environment is unknown.`,
				],
		409: [
			'The service refused the request because it conflicts with the current state',
			`Read ${wanted} to see its state, then decide how to go on.`,
		],
		410: isCreate
			? [
					'The service no longer accepts this request',
					'Check the template ID and the child account ID: one may have been deleted.',
				]
			: [`The service no longer has ${wanted}`, 'It was deleted. Leave this ID out.'],
	};
}

/** The ID in the call, shortened and in quotes. */
export const shownId = ({ id = '' }: FailedCall) =>
	`"${id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id}"`;
