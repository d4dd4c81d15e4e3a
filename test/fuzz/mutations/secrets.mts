import fc from 'fast-check';
import type { Mutation, World } from '../support/request.mts';

const keys: Array<[title: string, key: (world: World) => string]> = [
	['the previous secret', ({ previous: [first = ''] }) => first],
	['the oldest secret', ({ previous }) => previous.at(-1) ?? ''],
	['a foreign secret', ({ foreign: [first = ''] }) => first],
	['a removed secret', ({ foreign }) => foreign.at(-1) ?? ''],
	['the empty secret', () => ''],
	['the secret and a line break', ({ secret }) => `${secret}\n`],
	['the secret and a carriage return', ({ secret }) => `${secret}\r`],
	['a space before the secret', ({ secret }) => ` ${secret}`],
	['the secret in upper case', ({ secret }) => secret.toUpperCase()],
	['the secret without its last letter', ({ secret }) => secret.slice(0, -1)],
	['the secret without its first letter', ({ secret }) => secret.slice(1)],
	['the secret twice', ({ secret }) => secret + secret],
	['the secret in base64', ({ secret }) => Buffer.from(secret).toString('base64')],
	['the secret without whsec-', ({ secret }) => secret.replace('whsec-', '')],
	['all previous secrets in one', ({ previous }) => previous.join('\n')],
	[
		"n8n's text for a hidden secret",
		() => '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6',
	],
	['the word undefined', () => 'undefined'],
	// HMAC fills short keys up with zeros: these are the same key.
	['the secret and a zero', ({ secret }) => `${secret}\0`],
];

/** Signed with another key, a few of them right ones. */
export const secretMutations = fc.constantFrom(...keys).map(
	([title, key]): Mutation => ({
		title: `signed with ${title}`,
		letter: (letter, world) => ({ ...letter, secret: key(world) }),
	}),
);
