/** No complete response. `code` is Node's, e.g. `ECONNRESET`; `syscall` what failed, if known. */
export interface NetworkFailure {
	kind: 'network';
	code: string;
	syscall?: string;
}

/** The code for a request that n8n's own SSRF protection blocked. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';
