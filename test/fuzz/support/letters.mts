import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sign } from '../../support/delivery.mts';
import { names, type Letter, type WireRequest, type World } from './request.mts';

export const updated = 'collection_request.updated';

const derived = (seed: number, name: string) =>
	`whsec-${createHash('sha256').update(`${seed} ${name}`).digest('base64url')}`;

/** The secrets of the run with this seed. */
export function worldOf(seed: number): World {
	return {
		secret: derived(seed, 'current'),
		previous: [derived(seed, 'previous'), derived(seed, 'oldest')],
		foreign: [derived(seed, 'foreign'), derived(seed, 'removed')],
	};
}

/** A time in one of the units that its number of digits tells apart. */
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
		return ({ secret: current, previous }: World, now: number): Letter => {
			const id = requestId === '' ? unique : requestId;
			const timestamp = String(now);
			const payload = { ...extra, event: updated, requestId: id, ...named, timestamp, unique };
			return {
				timestamp: unit(now),
				body: Buffer.from(spell(payload)),
				secret: [current, ...previous][secret] ?? current,
			};
		};
	});

/** The letter as the service sends it. */
export function signedRequest({ timestamp, body, secret }: Letter, id: string): WireRequest {
	return {
		headers: [
			[names.type, 'application/json'],
			['User-Agent', 'svc-webhooks/1.0'],
			[names.signature, sign(secret, timestamp, body)],
			[names.timestamp, timestamp],
			[names.event, updated],
			[names.deliveryId, id],
		],
		body,
		framing: {},
	};
}

/** A good delivery that no number of the run has. */
export function goodDelivery(world: World, now: number): WireRequest {
	const payload = { event: updated, requestId: `last-${now}`, shareStatus: 'completed' };
	const body = Buffer.from(JSON.stringify(payload));
	return signedRequest({ timestamp: String(now), body, secret: world.secret }, 'last');
}
