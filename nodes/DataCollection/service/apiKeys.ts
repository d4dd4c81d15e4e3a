import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { err, errorsOf, type Explanation, joined, type Result } from '../basics/result';
import { textOf } from '../basics/values';
import { environmentOf } from './baseUrls';

/** The keys of the practice service, a workflow in the user's own n8n. They are the same everywhere. */
const PRACTICE_KEYS = { apiKey: 'practice-key', tokenId: 'practice-key' };

/** What each request is authenticated with, or what is wrong with it. */
export function keysOf(
	credential: ICredentialDataDecryptedObject,
): Result<{ apiKey: string; tokenId: string }, Explanation> {
	const environment = environmentOf(credential);
	if (!environment.ok) return environment;
	if (environment.value === 'practice') return { ok: true, value: PRACTICE_KEYS };
	const apiKey = keyIn('API Key', 'the key', credential.apiKey);
	const tokenId = keyIn('Token ID', 'the token ID', credential.tokenId);
	if (!apiKey.ok || !tokenId.ok) return err(joined(errorsOf([apiKey, tokenId])));
	return { ok: true, value: { apiKey: apiKey.value, tokenId: tokenId.value } };
}

/** Quotes, white space and what cannot be seen. */
const AROUND = `\\s\\p{C}"'\`“”„‘’‚«»‹›`;

const HEADING = `(?:authorization|token[-_ ]?id|(?:x-)?api[-_ ]?key)["']?\\s*[:=]`;

/**
 * What people copy together with a key: before it, behind it, and what cannot be seen within it. Spaces
 * within a key belong to it.
 */
const COPIED = new RegExp(
	`^(?:[${AROUND}<]|${HEADING}|bearer(?=\\s|$))+|[${AROUND}>,;]+$|[^\\S ]|\\p{C}`,
	'giu',
);

/** The part of what was copied that can be seen, with `…` for the key: `Authorization: Bearer "…"`. */
const seenIn = (copied: string[]) =>
	copied
		.map((part) => part.replace(/[^\p{L}\p{P}\p{S} ]/gu, '').trim())
		.filter((part) => part !== '')
		.join('…');

/**
 * A key that can be sent in a header as it was entered. n8n's HTTP client drops characters that cannot,
 * so the key may work, but it would no longer be recognised and hidden when the service repeats it.
 */
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
