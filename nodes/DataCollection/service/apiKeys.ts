import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Explanation, joinedErrors } from '../basics/explanation';
import { err, errorsOf, type Result } from '../basics/result';
import { textOf } from '../basics/values';
import { environmentOf } from './credentialUrls';

/** The same everywhere, so they are no secret. */
const PRACTICE_KEYS = { apiKey: 'practice-key', tokenId: 'practice-key' };

export function apiKeysOf(
	credential: ICredentialDataDecryptedObject,
): Result<{ apiKey: string; tokenId: string }, Explanation> {
	const environment = environmentOf(credential);
	if (!environment.ok) return environment;
	if (environment.value === 'practice') return { ok: true, value: PRACTICE_KEYS };
	const apiKey = keyIn('API Key', 'the key', credential.apiKey);
	const tokenId = keyIn('Token ID', 'the token ID', credential.tokenId);
	if (!apiKey.ok || !tokenId.ok) return err(joinedErrors(errorsOf([apiKey, tokenId])));
	return { ok: true, value: { apiKey: apiKey.value, tokenId: tokenId.value } };
}

/** Quotes, white space and invisible characters. */
const AROUND = `\\s\\p{C}"'\`“”„‘’‚«»‹›`;

const HEADING = `(?:authorization|token[-_ ]?id|(?:x-)?api[-_ ]?key)["']?\\s*[:=]`;

/** What people copy with a key, around it or invisible in it. Spaces in a key belong to it. */
const COPIED = new RegExp(
	`^(?:[${AROUND}<]|${HEADING}|bearer(?=\\s|$))+|[${AROUND}>,;]+$|[^\\S ]|\\p{C}`,
	'giu',
);

/** What was copied besides the key, with `…` for the key: `Authorization: Bearer "…"`. */
const seenIn = (copied: string[]) =>
	copied
		.map((part) => part.replace(/[^\p{L}\p{P}\p{S} ]/gu, '').trim())
		.filter((part) => part !== '')
		.join('…');

/** n8n's HTTP client drops what a header cannot hold; such a key would not be redacted. */
function keyIn(field: string, what: string, entered: unknown): Result<string, Explanation> {
	const text = textOf(entered ?? '');
	const refuse = (problem: string, remedy: string) =>
		err({
			message: `${field} in the credential ${problem}: ${remedy}`,
			description:
				'Open the Data Collection API credential and enter it again. The nodes add "Authorization: Bearer" and "tokenId" themselves. If an expression gives it, check what it returns.',
		});
	if (text === undefined) return refuse('is not text', `enter ${what} as text`);
	if (text.replace(COPIED, '') === '') {
		return refuse('is empty', `enter ${what} that your provider has given you`);
	}
	const copied = text.match(COPIED);
	if (copied !== null) {
		const more = seenIn(copied) || 'white space or an invisible character';
		return refuse(`contains more than ${what} (${more})`, `enter ${what} alone`);
	}
	if (/^[\x20-\x7e\xa0-\xff]*$/.test(text)) return { ok: true, value: text };
	return refuse('contains a character that cannot be sent', `copy ${what} again as plain text`);
}
