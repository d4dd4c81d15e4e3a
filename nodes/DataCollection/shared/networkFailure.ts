/** The text shown in n8n: what happened, then what to do. */
export interface Explanation {
	message: string;
	description: string;
}

/** The code of a request that n8n's own SSRF protection did not let out. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

const UNREACHABLE = ['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
const MISCONFIGURED = ['ENOTFOUND', SSRF_BLOCKED];

const isTlsCode = (code: string) =>
	code === 'EPROTO' || /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code);

/** Connection errors that only a change of the credential or of the network mends. */
export const isConfiguration = (code: string) => MISCONFIGURED.includes(code) || isTlsCode(code);

/** Connection errors after which the request certainly never reached the service. */
export const isNeverSent = (code: string) => UNREACHABLE.includes(code) || isConfiguration(code);

/** Words a connection error, given Node's code for it. */
export function explainNetwork(code: string): Explanation {
	const detail = `(${code})`;
	if (code === 'ENOTFOUND') {
		return {
			message: 'The host of the API base URL was not found',
			description: `Check the API base URL in the credential for typing slips. ${detail}`,
		};
	}
	if (code === SSRF_BLOCKED) {
		return {
			message: 'n8n is set up not to send requests to the address of the API base URL',
			description:
				"n8n's SSRF protection refuses addresses of internal networks. Ask the administrator of n8n to allow the host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
		};
	}
	if (isTlsCode(code)) {
		return {
			message: 'No secure connection to the service could be made',
			description: `Check that the API base URL starts with the right https:// or http:// and that its certificate is valid and trusted by the machine n8n runs on. ${detail}`,
		};
	}
	if (UNREACHABLE.includes(code)) {
		return {
			message: 'The service could not be reached',
			description: `It may be down, or the API base URL may name the wrong host or port. Check the credential and try again later. ${detail}`,
		};
	}
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
		return {
			message: 'The service did not answer in time',
			description: `Try again later, or raise Timeout under Options. ${detail}`,
		};
	}
	return {
		message: 'The connection to the service broke off before the answer was complete',
		description: `Try again later. ${detail}`,
	};
}
