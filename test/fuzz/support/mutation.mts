import fc from 'fast-check';
import { valueOf, withHeader } from '../../support/delivery.mts';
import type { Letter, World } from './letters.mts';
import type { WireRequest } from './request.mts';

/** One change to a good delivery, before or after it is signed; `now` is in milliseconds. */
export interface Mutation {
	title: string;
	letter?: (letter: Letter, world: World, now: number) => Letter;
	request?: (request: WireRequest, letter: Letter) => WireRequest;
}

export const names = {
	signature: 'X-SVC-Signature',
	timestamp: 'X-SVC-Timestamp',
	event: 'X-SVC-Event',
	deliveryId: 'X-SVC-Delivery-Id',
	type: 'Content-Type',
	encoding: 'Content-Encoding',
} as const;

/** A change before the letter is signed, by what becomes different. */
export const ofLetter = (
	title: string,
	change: (letter: Letter, world: World, now: number) => Partial<Letter>,
): Mutation => ({
	title,
	letter: (letter, world, now) => ({ ...letter, ...change(letter, world, now) }),
});

/** A change after the letter was signed, by what becomes different. */
export const ofRequest = (
	title: string,
	change: (request: WireRequest, letter: Letter) => Partial<WireRequest>,
): Mutation => ({
	title,
	request: (request, letter) => ({ ...request, ...change(request, letter) }),
});

/** Another value for a header, after the letter was signed. */
export const ofHeader = (
	title: string,
	name: string,
	change: (value: string, letter: Letter) => string,
): Mutation =>
	ofRequest(title, (request, letter) =>
		withHeader(request, name, change(valueOf(request, name), letter)),
	);

/** The mutation of any row of a table. */
export const oneOf = <Row extends unknown[]>(rows: Row[], mutation: (...row: Row) => Mutation) =>
	fc.constantFrom(...rows).map((row) => mutation(...row));
