import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { signed, withHeader } from '../support/delivery.mts';
import type { WireRequest } from './wire.mts';

/** A notification before it is signed. */
export interface Letter {
	/** Value of X-SVC-Timestamp. */
	timestamp: string;
	body: Buffer;
	secret: string;
}

/** The secrets of one run. */
export interface World {
	secret: string;
	/** Still accepted. */
	previous: string[];
	/** Never accepted. */
	foreign: string[];
}

/** The secrets of the run with this seed. */
export function worldOf(seed: number): World {
	const derived = (name: string) =>
		`whsec-${createHash('sha256').update(`${seed} ${name}`).digest('base64url')}`;
	return {
		secret: derived('current'),
		previous: [derived('previous'), derived('oldest')],
		foreign: [derived('foreign'), derived('removed')],
	};
}

export const updated = 'collection_request.updated';

/** A time in one of the units, which are recognised by the number of digits. */
export const units: Record<string, (milliseconds: number) => string> = {
	seconds: (time) => String(Math.floor(time / 1000)),
	milliseconds: String,
	microseconds: (time) => `${time}125`,
	nanoseconds: (time) => `${time}125250`,
};

const text = fc.string({ unit: 'binary', maxLength: 20 });
const hex = (bytes: number) =>
	fc
		.uint8Array({ minLength: bytes, maxLength: bytes })
		.map((array) => Buffer.from(array).toString('hex'));

const fields = fc.record({
	extra: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
	requestId: fc.oneof({ arbitrary: hex(12), weight: 9 }, { arbitrary: text, weight: 1 }),
	shareStatus: fc.constantFrom('open', 'completed', 'paused', null, undefined),
	webhookIdentifier: fc.oneof(text, fc.constantFrom(null, undefined)),
	note: text,
});

const spellings: Array<(value: object) => string> = [
	(value) => JSON.stringify(value),
	(value) => JSON.stringify(value, null, 2),
	(value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
	(value) => ` ${JSON.stringify(value)}\n`,
	(value) => JSON.stringify(value).replaceAll('/', '\\/'),
];

/** A good notification, signed with the current or a previous secret, sent at `now`. */
export const goodLetter = fc
	.record({
		fields,
		unique: hex(8),
		spell: fc.constantFrom(...spellings),
		unit: fc.constantFrom(...Object.values(units)),
		secret: fc.constantFrom(0, 0, 0, 1, 2),
	})
	.map(({ fields: { extra, requestId, ...named }, unique, spell, unit, secret }) => {
		return (world: World, now: number): Letter => {
			const id = requestId === '' ? unique : requestId;
			const timestamp = String(now);
			const payload = { ...extra, event: updated, requestId: id, ...named, timestamp, unique };
			return {
				timestamp: unit(now),
				body: Buffer.from(spell(payload)),
				secret: [world.secret, ...world.previous][secret] ?? world.secret,
			};
		};
	});

/** The letter as the service sends it. */
export function signedRequest(letter: Letter, deliveryId: string): WireRequest {
	return { ...withHeader(signed(letter), 'X-SVC-Delivery-Id', deliveryId), framing: {} };
}
