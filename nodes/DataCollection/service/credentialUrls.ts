import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Explanation, joinedErrors } from '../basics/explanation';
import { err, errorsOf, type Result } from '../basics/result';
import { isLoopback, isPrivate, parseHttpUrl } from '../basics/url';
import { textOf } from '../basics/values';

/** What the nodes add to the addresses (Endpoints, Guest link), in case somebody pasted it, too. */
const ADDED_TO_BASE_URL = /\/di(\/(collection-request|share)(\/[^/]*)?)?$/;
const ADDED_TO_COLLECT_URL = /\/request(\/[^/]*)?$/;

/**
 * Without trailing slashes. Refuses what would redirect where the key is sent, such as user info.
 */
export function parseAddress(
	text: string,
	added: RegExp = ADDED_TO_BASE_URL,
	isHttpSafe = isLoopback,
): Result<string, string> {
	const trimmed = text.trim();
	if (trimmed === '') return err('is empty');
	const url = parseHttpUrl(trimmed);
	if (url === undefined) return err('is not a complete address, such as https://api.example.com');
	if (url.protocol === 'http:' && !isHttpSafe(url.hostname)) {
		const place = isHttpSafe === isLoopback ? 'on the same machine as n8n' : 'in your own network';
		return err(`must start with https:// (http:// is allowed only for an address ${place})`);
	}
	if (url.username || url.password) return err('must not contain a user name or password');
	if (trimmed.includes('?')) return err('must not contain a query (the part after "?")');
	if (trimmed.includes('#')) return err('must not contain a fragment (the part after "#")');
	const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
	const [tooMuch] = added.exec(address) ?? [];
	if (tooMuch !== undefined) return err(`must end before "${tooMuch}": the nodes add that part`);
	return { ok: true, value: address };
}

const ENVIRONMENTS = ['production', 'staging', 'practice'];

/** An expression without a result must not mean production. */
export function environmentOf({
	environment,
}: ICredentialDataDecryptedObject): Result<string, Explanation> {
	const value = ENVIRONMENTS.find((choice) => choice === environment);
	if (value !== undefined) return { ok: true, value };
	return err({
		message: 'Environment in the credential is not one of its choices',
		description: `Open the Data Collection API credential and select an environment. If an expression selects it, check that it returns one of: ${ENVIRONMENTS.join(', ')}.`,
	});
}

/** Without trailing slashes. */
export interface Addresses {
	environment: string;
	baseUrl: string;
	collectUrl: string;
}

export function addressesOf(
	credential: ICredentialDataDecryptedObject,
): Result<Addresses, Explanation> {
	const chosen = environmentOf(credential);
	if (!chosen.ok) return chosen;
	const environment = chosen.value;
	const addressIn = (label: string, name: string, parse = parseAddress) => {
		const parsed = parse(textOf(credential[name]) ?? '');
		if (parsed.ok) return parsed;
		return err({
			message: `The ${label} (${environment}) ${parsed.error}`,
			description: `Open the Data Collection API credential and correct "${label}". Enter the address for ${environment}.`,
		});
	};
	// Http is safe here: a guest link has no key in it, and the key of the practice service is
	// public.
	const parseWithoutKey = (text: string) => parseAddress(text, ADDED_TO_COLLECT_URL, isPrivate);
	const isPractice = environment === 'practice';
	const collectUrl = isPractice
		? addressIn('Practice Service URL', 'practiceUrl', parseWithoutKey)
		: addressIn('Collect URL', `${environment}CollectUrl`, parseWithoutKey);
	const baseUrl = isPractice ? collectUrl : addressIn('API Base URL', `${environment}BaseUrl`);
	if (!baseUrl.ok || !collectUrl.ok) return err(joinedErrors(errorsOf([baseUrl, collectUrl])));
	const value = { environment, baseUrl: baseUrl.value, collectUrl: collectUrl.value };
	return { ok: true, value };
}
