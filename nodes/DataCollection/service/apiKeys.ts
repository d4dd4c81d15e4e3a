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

const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\r\n])\p{Cc}|[^\S \t\r\n]/u;

/** What people copy together with a key, and where it can stand. Each match is one such part. */
const COPIED: Array<[part: RegExp, name: string]> = [
	[INVISIBLE, 'an invisible character'],
	[/^\s+|\s+$/, 'white space around it'],
	[/^["'`“”„‘’‚«»‹›]+|["'`“”„‘’‚«»‹›]+$/, 'quotes'],
	[/^<|>$/, 'angle brackets'],
	[/[,;]$/, 'a comma or a semicolon at the end'],
	[/^authorization["']?\s*[:=]\s*/i, '"Authorization:"'],
	[/^token[-_ ]?id["']?\s*[:=]\s*/i, '"tokenId:"'],
	[/^(x-)?api[-_ ]?key["']?\s*[:=]\s*/i, '"API Key:"'],
	[/^bearer(\s+|$)/i, '"Bearer"'],
	[/[\t\r\n]/, 'a line break or a tab'],
];

/** A key without what was copied with it, and the names of that. */
function withoutCopied(entered: string): { key: string; names: Set<string> } {
	const names = new Set<string>();
	let key = entered;
	for (;;) {
		const [part, name] = COPIED.find(([one]) => one.test(key)) ?? [];
		if (part === undefined || name === undefined) return { key, names };
		names.add(name);
		key = key.replace(part, '');
	}
}

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
	const { key, names } = withoutCopied(text);
	if (key === '') return refuse('is empty', `enter ${what} that your provider has given you`);
	if (names.size > 0) return refuse(`contains ${listOf([...names])}`, `enter ${what} alone`);
	if (/^[\x20-\x7e\xa0-\xff]*$/.test(key)) return { ok: true, value: key };
	return refuse('contains a character that cannot be sent', `copy ${what} again as plain text`);
}

const listOf = (names: string[]) => names.join(', ').replace(/, ([^,]*)$/, ' and $1');
