import { createHmac } from 'node:crypto';
import type { Outcome } from '../support/answers.mts';
import { updated, type World } from './letters.mts';

// How the receiver must respond to a delivery, according to docs/service-api.md (Delivery, Payload,
// Signature) and docs/trigger.md alone. This file shares no code with the package.

/** What arrives of a request over HTTP. */
export interface Arrived {
	/** The trimmed values of a header, one for each of its lines. */
	values: (name: string) => string[];
	/** Unpacked; undefined if the host keeps no bytes. */
	body: Buffer | undefined;
}

/** The fields by which an execution is recognised. */
export type Notification = { event: string; requestId: string; shareStatus: string | null };

export interface Judgement {
	/** The permitted responses; `accepted` includes `duplicate`. */
	outcomes: Outcome[];
	/** The item's content if `accepted` is permitted. */
	notification?: Notification;
}

const maximumAge = 300_000n;
const maximumBytes = 1024 * 1024;
/** Nesting up to this depth is always accepted; deeper nesting may be refused. */
const certainDepth = 150;

const only = (outcome: Outcome): Judgement => ({ outcomes: [outcome] });

/** By the number of digits: up to 11 seconds, 12-14 milliseconds, 15-17 micro-, 18-19 nanoseconds. */
function millisecondsOf(timestamp: string): bigint | undefined {
	if (!/^[1-9][0-9]{0,18}$/.test(timestamp)) return undefined;
	const digits = timestamp.length;
	if (digits < 12) return BigInt(timestamp) * 1000n;
	if (digits < 15) return BigInt(timestamp);
	return BigInt(timestamp) / (digits < 18 ? 1000n : 1_000_000n);
}

function isSigned(timestamp: string, body: Buffer, signature: string, world: World): boolean {
	const text = Buffer.concat([Buffer.from(timestamp), Buffer.from('.'), body]);
	return [world.secret, ...world.previous].some(
		(secret) => createHmac('sha256', secret).update(text).digest('hex') === signature,
	);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0;
const isOptional = (value: unknown) => (value ?? null) === null || typeof value === 'string';

function depthOf(value: unknown, depth = 0): number {
	if (typeof value !== 'object' || value === null || depth > certainDepth) return depth;
	return Math.max(depth, ...Object.values(value).map((inner) => depthOf(inner, depth + 1)));
}

function read(body: Buffer): Judgement {
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8').decode(body));
	} catch {
		return only('malformed');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return only('malformed');
	const field = (name: string): unknown =>
		Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
	const [event, requestId] = [field('event'), field('requestId')];
	const shareStatus = field('shareStatus');
	if (!isText(event) || !isText(requestId)) return only('malformed');
	if (!isOptional(shareStatus) || !isOptional(field('webhookIdentifier'))) return only('malformed');
	const outcome: Outcome = event === updated ? 'accepted' : 'filtered';
	const status = typeof shareStatus === 'string' ? shareStatus : null;
	return {
		outcomes: depthOf(value) > certainDepth ? [outcome, 'malformed'] : [outcome],
		notification: { event, requestId, shareStatus: status },
	};
}

/** Judges what has arrived at a time in milliseconds. */
export function judge({ values, body }: Arrived, world: World, now: number): Judgement {
	if (body === undefined) return only('unverified');
	if (body.length > maximumBytes) return only('tooLarge');
	const [signature, ...furtherSignatures] = values('x-svc-signature');
	const [timestamp, ...furtherTimestamps] = values('x-svc-timestamp');
	if (signature === undefined || timestamp === undefined) return only('unverified');
	if (furtherSignatures.length + furtherTimestamps.length > 0) return only('unverified');
	const time = millisecondsOf(timestamp);
	if (time === undefined || !isSigned(timestamp, body, signature, world)) return only('unverified');
	const age = BigInt(now) - time;
	if (age > maximumAge || age < -maximumAge) return only('unverified');
	return read(body);
}
