/** The text shown in n8n: what happened, then what to do. */
export interface Explanation {
	message: string;
	description: string;
}

/** No whole response arrived; `code` is Node's, e.g. `ECONNREFUSED`. */
export interface NetworkFailure {
	kind: 'network';
	code: string;
	/** The system call that failed, where Node names one, e.g. `connect`. */
	syscall?: string;
}

/** The code of a request that n8n's own SSRF protection did not let out. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

/** Nobody listens, or nobody can say where the host is: it may be different in a moment. */
const UNREACHABLE = ['ECONNREFUSED', 'EAI_AGAIN'];

/** The same if they come from connecting; an established connection can end with them, too. */
const UNREACHABLE_WHILE_CONNECTING = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

/** Node's reasons for not trusting a certificate, which it checks before it sends anything. */
const UNTRUSTED_CERTIFICATE = [
	'CERT_CHAIN_TOO_LONG',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REJECTED',
	'CERT_REVOKED',
	'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'HOSTNAME_MISMATCH',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Any other failure of TLS: at the beginning, or in the middle of a response. */
const isTlsCode = (code: string) => code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code);

const isUnreachable = ({ code, syscall }: NetworkFailure) =>
	UNREACHABLE.includes(code) ||
	(syscall === 'connect' && UNREACHABLE_WHILE_CONNECTING.includes(code));

/** Connection errors that only a change of the credential or of the network mends. */
export const isConfiguration = ({ code }: NetworkFailure) =>
	['ENOTFOUND', SSRF_BLOCKED, ...UNTRUSTED_CERTIFICATE].includes(code);

/** Whether the error proves that the request never reached the service. */
export const isNeverSent = (failure: NetworkFailure) =>
	isUnreachable(failure) || isConfiguration(failure);

/** Words a connection error. */
export function explainNetwork(failure: NetworkFailure): Explanation {
	const { code } = failure;
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
	if (UNTRUSTED_CERTIFICATE.includes(code)) {
		return {
			message: 'No secure connection to the service could be made',
			description: `Check that the API base URL names the right host, and that its certificate is valid and trusted by the machine n8n runs on. ${detail}`,
		};
	}
	if (isTlsCode(code)) {
		return {
			message: 'The secure connection to the service failed',
			description: `Check that the API base URL starts with the right https:// or http:// and names the right port, then try again later. ${detail}`,
		};
	}
	if (isUnreachable(failure)) {
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
