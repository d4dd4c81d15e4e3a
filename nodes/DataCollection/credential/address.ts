import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Fault } from './secrets';
import { joinFaults } from './secrets';

/** A usable address without trailing slashes, or the reason why it cannot be used. */
export type ParsedAddress = { ok: true; address: string } | { ok: false; reason: string };

const refuse = (reason: string): ParsedAddress => ({ ok: false, reason });

/** Parses an absolute http(s) URL; undefined for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
	try {
		const url = new URL(text);
		return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
	} catch {
		return undefined;
	}
}

/** What the nodes add to the addresses (Endpoints, Guest link), in case somebody pasted it, too. */
const ADDED_TO_BASE_URL = /\/di(\/(collection-request|share)(\/[^/]*)?)?$/;
const ADDED_TO_COLLECT_URL = /\/request(\/[^/]*)?$/;

/**
 * Checks one of the credential's addresses: https, or http where that is safe (to this machine, if
 * keys are sent to the address), with an optional path prefix. Refuses user info, query and fragment, because they would redirect where the key is sent.
 */
export function parseAddress(
	text: string,
	added: RegExp = ADDED_TO_BASE_URL,
	isHttpSafe = isLoopback,
): ParsedAddress {
	const trimmed = text.trim();
	if (trimmed === '') return refuse('is empty');
	const url = parseHttpUrl(trimmed);
	if (url === undefined) return refuse('is not an absolute https:// address');
	if (url.protocol === 'http:' && !isHttpSafe(url.hostname)) {
		const place = isHttpSafe === isLoopback ? 'on the same machine as n8n' : 'in your own network';
		return refuse(`must start with https:// (http:// is allowed only for an address ${place})`);
	}
	if (url.username || url.password) return refuse('must not contain a user name or password');
	if (trimmed.includes('?')) return refuse('must not contain a query (the part after "?")');
	if (trimmed.includes('#')) return refuse('must not contain a fragment (the part after "#")');
	const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
	const [tooMuch] = added.exec(address) ?? [];
	if (tooMuch !== undefined) return refuse(`must end before "${tooMuch}": the nodes add that part`);
	return { ok: true, address };
}

/** The credential's environment, or why there is none. */
export type Environment = { ok: true; environment: string } | { ok: false; fault: Fault };

const ENVIRONMENTS = ['production', 'staging', 'practice'];

/** An expression without a result must not stand for production, with its key. */
export function readEnvironment({ environment }: ICredentialDataDecryptedObject): Environment {
	const chosen = ENVIRONMENTS.find((one) => one === environment);
	if (chosen !== undefined) return { ok: true, environment: chosen };
	const message = 'Environment in the credential is not one of its choices';
	const description = `Open the Data Collection API credential and select an environment. If an expression selects it, check that it returns one of: ${ENVIRONMENTS.join(', ')}.`;
	return { ok: false, fault: { message, description } };
}

/** The two addresses of the credential's environment, or what is wrong with them. */
export type Addresses =
	| { ok: true; environment: string; baseUrl: string; collectUrl: string }
	| { ok: false; fault: Fault };

export function readAddresses(credential: ICredentialDataDecryptedObject): Addresses {
	const chosen = readEnvironment(credential);
	if (!chosen.ok) return chosen;
	const { environment } = chosen;
	const unusable = (parts: Array<[label: string, parsed: ParsedAddress]>): Addresses => {
		const faults = parts.flatMap(([label, parsed]) => {
			if (parsed.ok) return [];
			const message = `The ${label} (${environment}) ${parsed.reason}`;
			const description = `Open the Data Collection API credential and correct "${label}". Enter the address for ${environment}, e.g. https://api.example.com/v1`;
			return [{ message, description }];
		});
		return { ok: false, fault: joinFaults(faults) };
	};
	// A guest link has no key in it, and the key of the practice service is public.
	const readCollectUrl = (field: string) =>
		parseAddress(textOf(credential[field]), ADDED_TO_COLLECT_URL, isPrivate);
	if (environment === 'practice') {
		const url = readCollectUrl('practiceUrl');
		if (!url.ok) return unusable([['Practice Service URL', url]]);
		return { ok: true, environment, baseUrl: url.address, collectUrl: url.address };
	}
	const baseUrl = parseAddress(textOf(credential[`${environment}BaseUrl`]));
	const collectUrl = readCollectUrl(`${environment}CollectUrl`);
	if (baseUrl.ok && collectUrl.ok) {
		return { ok: true, environment, baseUrl: baseUrl.address, collectUrl: collectUrl.address };
	}
	return unusable([
		['API Base URL', baseUrl],
		['Collect URL', collectUrl],
	]);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Whether a URL's host name is this machine. `x.localhost` is not: DNS may lead it elsewhere. */
export function isLoopback(hostname: string): boolean {
	const host = plainHost(hostname);
	return host === 'localhost' || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** Whether only this machine or its own network can reach a URL's host name. */
export function isPrivate(hostname: string): boolean {
	const host = plainHost(hostname);
	return (
		isLoopback(host) ||
		['0.0.0.0', '[::]'].includes(host) ||
		host.endsWith('.localhost') ||
		/^(10\.\d+|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+){2}$/.test(host) ||
		/^\[f[cd][0-9a-f]{2}:|^\[fe[89ab][0-9a-f]:/.test(host)
	);
}

/** The host without a trailing dot; an IPv4-mapped IPv6 address (`[::ffff:7f00:1]`) as IPv4. */
function plainHost(hostname: string): string {
	const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
	if (high === undefined || low === undefined) return hostname.replace(/\.$/, '');
	return [high, low]
		.map((group) => parseInt(group, 16))
		.flatMap((group) => [group >> 8, group & 0xff])
		.join('.');
}
