import fc from 'fast-check';
import { valueOf, withHeader } from '../../support/delivery.mts';
import type { Letter, World } from '../letters.mts';
import type { WireRequest } from '../wire.mts';

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

/** A change before the letter is signed, given the fields that differ. */
export const ofLetter = (
	title: string,
	change: (letter: Letter, world: World, now: number) => Partial<Letter>,
): Mutation => ({
	title,
	letter: (letter, world, now) => ({ ...letter, ...change(letter, world, now) }),
});

/** A change after the letter was signed, given the fields that differ. */
export const ofRequest = (
	title: string,
	change: (request: WireRequest, letter: Letter) => Partial<WireRequest>,
): Mutation => ({
	title,
	request: (request, letter) => ({ ...request, ...change(request, letter) }),
});

/** A different value for a header, after the letter was signed. */
export const ofHeader = (
	title: string,
	name: string,
	change: (value: string, letter: Letter) => string,
): Mutation =>
	ofRequest(title, (request, letter) =>
		withHeader(request, name, change(valueOf(request, name), letter)),
	);

/** Mutations made from drawn values, as often as the weight says. */
export const drawn = <Values extends unknown[]>(
	weight: number,
	from: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
	mutation: (...values: Values) => Mutation,
) => ({ weight, arbitrary: fc.tuple<Values>(...from).map((values) => mutation(...values)) });

/** Mutations made from a table's rows, as often as the weight says. */
export const tabled = <Row extends unknown[]>(
	weight: number,
	rows: Row[],
	mutation: (...row: Row) => Mutation,
) => ({ weight, arbitrary: fc.constantFrom(...rows).map((row) => mutation(...row)) });
