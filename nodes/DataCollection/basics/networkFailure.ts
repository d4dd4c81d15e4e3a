/** No complete response. `code` is Node's, e.g. `ECONNRESET`; `syscall` what failed, if known. */
export interface NetworkFailure {
	kind: 'network';
	code: string;
	syscall?: string;
}

/** The code for a request that n8n's own SSRF protection blocked. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

/** Nothing listens on the port, or DNS fails temporarily. Both may change within moments. */
const UNREACHABLE = ['ECONNREFUSED', 'EAI_AGAIN'];

/** Only while connecting: an established connection can also end with these. */
const UNREACHABLE_WHILE_CONNECTING = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

/** Node checks the certificate before it sends anything. */
const UNTRUSTED_CERTIFICATE = [
	/^CERT_/,
	/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
	/^UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)$/,
	/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
	/^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/,
];

export const isUntrustedCertificate = (code: string) =>
	UNTRUSTED_CERTIFICATE.some((codes) => codes.test(code));

export const isUnreachable = ({ code, syscall }: Omit<NetworkFailure, 'kind'>) =>
	UNREACHABLE.includes(code) ||
	(syscall === 'connect' && UNREACHABLE_WHILE_CONNECTING.includes(code));
