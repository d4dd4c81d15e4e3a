import { gunzipSync, inflateSync } from 'node:zlib';
import { isOwnAnswer, outcomeOf } from '../support/answers.mts';
import type { Outcome, OwnOutcome } from '../support/answers.mts';
import { valueOf } from '../support/delivery.mts';
import type { Answer, HeaderLines } from '../support/send.mts';
import type { Case } from './cases.mts';
import type { World } from './letters.mts';
import { judge, type Arrived, type Notification } from './reference.mts';
import { isIncomplete, type WireRequest } from './wire.mts';

/** What the sender may get from the host: the host's own response, or none if it hung up. */
type HostOutcome = OwnOutcome | 'none';

interface Passage {
	/** Responses that the host may send without asking the node. */
	own: HostOutcome[];
	/** What the node gets if the host does not respond itself. */
	arrived?: Arrived;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// eslint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0a-\x1f\x7f]/;
const maximumBytes = 16 * 1024 * 1024;
/** Node counts slightly differently: between the two, either may happen. */
const headerBytes = { certain: 15_000, tooMany: 17_000 };

const trimmed = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Undoes Content-Encoding, of which n8n knows two, in lower case; undefined if the bytes do not fit. */
function unpack(encoding: string, body: Buffer): Buffer | undefined {
	try {
		if (encoding === 'gzip') return gunzipSync(body);
		return encoding === 'deflate' ? inflateSync(body) : body;
	} catch {
		return undefined;
	}
}

function charsetOf(parameters: string[]): string {
	const given = parameters.map((parameter) => /^\s*charset\s*=(.*)$/i.exec(parameter)?.[1]);
	const last = given.findLast((value) => value !== undefined)?.trim() ?? 'utf-8';
	return (/^"(.*)"$/.exec(last)?.[1] ?? last).toLowerCase();
}

/** Whether n8n can read the body as its declared type; undefined if that is uncertain. */
function isReadable(type: string, charset: string, body: Buffer): boolean | undefined {
	if (body.length === 0 || type.startsWith('multipart/')) return true;
	if (/[/+]xml$/.test(type)) return undefined;
	const isText = type === 'text/plain' || type === 'application/x-www-form-urlencoded';
	if (!isText && type !== 'application/json') return true;
	try {
		const text = body.toString(charset as 'utf-8');
		if (!isText) JSON.parse(withoutMark(text));
		return true;
	} catch {
		return false;
	}
}

function handOver(headers: HeaderLines, body: Buffer): Passage {
	const values = (name: string) =>
		headers
			.filter(([given]) => given.toLowerCase() === name)
			.map(([, value]) => trimmed(value))
			.filter((value, _index, all) => value !== '' || all.length > 1);
	// If n8n does not handle the type, it is the node that has the body read.
	const either = (own: HostOutcome[], bytes?: Buffer): Passage => {
		return { own, arrived: { values, body: bytes } };
	};
	const contentType = trimmed(valueOf({ headers, body }, 'content-type'));
	const [type = '', ...parameters] = contentType.toLowerCase().split(';');
	if (type === 'multipart/form-data') return either(['noForm']);
	const encoding = values('content-encoding').join(', ');
	if (['gzip', 'deflate'].includes(encoding) && body.length === 0) {
		return either(['notCompressed'], body);
	}
	const unpacked = unpack(encoding, body);
	if (unpacked === undefined) return either(['notCompressed']);
	if (unpacked.length > maximumBytes) return either(['beyondLimit']);
	const readable = isReadable(type, charsetOf(parameters), unpacked);
	if (readable === false) return { own: ['unreadable'] };
	return either(readable ? [] : ['unreadable'], unpacked);
}

/** What Node's HTTP parser and n8n do with a request before it reaches the node. */
export function passageOf(request: WireRequest): Passage {
	const { headers, body, framing } = request;
	const isHttp = headers.every(([name, value]) => token.test(name) && !forbidden.test(value));
	if (!isHttp) return { own: ['noHttp'] };
	const size = headers.reduce((bytes, [name, value]) => bytes + name.length + value.length + 4, 0);
	const isLarge = size > headerBytes.tooMany;
	if (isIncomplete(request)) return { own: [isLarge ? 'headersTooLarge' : 'none', 'noHttp'] };
	if (isLarge) return { own: ['headersTooLarge'] };
	const { announced = 0 } = framing;
	const passage = handOver(headers, body.subarray(0, Math.max(0, body.length + announced)));
	// The surplus bytes are taken for the next request.
	if (announced < 0) passage.own.push('noHttp', 'none');
	if (size > headerBytes.certain) passage.own.push('headersTooLarge');
	return passage;
}

/** One request that was sent, and what came back. */
export interface Sent {
	index: number;
	made: Case;
	/** Milliseconds. */
	sentAt: number;
	answeredAt: number;
	answer: Answer | undefined;
}

/** What is wrong with a response. */
export type Fault = 'forgery accepted' | 'genuine refused' | 'unexpected answer';

export interface Entry extends Sent {
	allowed: Array<Outcome | HostOutcome>;
	/** The outcome; undefined if the response is not a known one. */
	outcome: Outcome | HostOutcome | undefined;
	/** For verified deliveries: identical for the same notification. */
	signature: string;
	notification?: Notification;
	fault?: Fault;
}

function outcomeIn(answer: Answer | undefined, own: HostOutcome[]): Entry['outcome'] {
	if (answer === undefined) return 'none';
	const isIt = (name: HostOutcome) => name !== 'none' && isOwnAnswer(answer, name);
	return outcomeOf(answer) ?? own.find(isIt);
}

function faultOf({ outcome, allowed }: Pick<Entry, 'outcome' | 'allowed'>): Fault | undefined {
	const found = outcome === 'duplicate' ? 'accepted' : outcome;
	if (found !== undefined && allowed.includes(found)) return undefined;
	if (found === 'accepted') return 'forgery accepted';
	return allowed.length === 1 && allowed[0] === 'accepted'
		? 'genuine refused'
		: 'unexpected answer';
}

/** Compares a response with those permitted when the request was sent or the response arrived. */
export function assess(sent: Sent, world: World): Entry {
	const { own, arrived } = passageOf(sent.made.request);
	// Clocks are read in whole milliseconds.
	const times = [sent.sentAt - 1, sent.answeredAt + 1];
	const judgements = arrived ? times.map((time) => judge(arrived, world, time)) : [];
	const notification = judgements.find((found) => found.notification)?.notification;
	const allowed = [...new Set([...own, ...judgements.flatMap(({ outcomes }) => outcomes)])];
	const outcome = outcomeIn(sent.answer, own);
	const signature = arrived?.values('x-svc-signature')[0] ?? '';
	const entry = { ...sent, allowed, outcome, signature, notification };
	return { ...entry, fault: faultOf(entry) };
}

/** Notifications not accepted exactly once, although each response may be right. */
export function miscounted(entries: Entry[]): Entry[] {
	const verified = entries.filter(({ allowed }) => allowed.includes('accepted'));
	const groups = Map.groupBy(verified, ({ signature }) => signature);
	return [...groups.values()].flatMap((group) => {
		const accepted = group.filter(({ outcome }) => outcome === 'accepted').length;
		const isDue = group.some(
			({ allowed, outcome }) => allowed.length === 1 || outcome === 'duplicate',
		);
		return accepted > 1 || (isDue && accepted === 0) ? group.slice(0, 1) : [];
	});
}
