import { gunzipSync, inflateSync } from 'node:zlib';
import type { OwnOutcome } from '../../support/n8nAnswers.mts';
import type { Arrived } from './reference.mts';
import { valueOf, type HeaderLines, type WireRequest } from './request.mts';

// What Node's HTTP parser and n8n do with a request before the node is asked.

/** What the sender may get from the host: an answer of its own, or none because it hung up. */
export type HostOutcome = OwnOutcome | 'none';

export interface Passage {
	/** Answers that the host may give by itself. */
	own: HostOutcome[];
	/** What the node gets when the host does not answer. */
	arrived?: Arrived;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// eslint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0a-\x1f\x7f]/;
const maximumBytes = 16 * 1024 * 1024;
/** Node counts differently in the details: between the two either may happen. */
const headerBytes = { certain: 15_000, tooMany: 17_000 };

const alone = (...own: HostOutcome[]): Passage => ({ own });

function sizeOf(headers: HeaderLines): number {
	return headers.reduce((bytes, [name, value]) => bytes + name.length + value.length + 4, 0);
}

function isHttp({ headers }: WireRequest): boolean {
	return headers.every(([name, value]) => token.test(name) && !forbidden.test(value));
}

/** The bytes after Content-Encoding; n8n knows two, in lower case; undefined when they are not that. */
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

const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Whether n8n can read the body as what its type says; undefined when that is not certain. */
function isReadable(type: string, charset: string, body: Buffer): boolean | undefined {
	if (body.length === 0) return true;
	try {
		if (/[/+]xml$/.test(type)) return undefined;
		if (type === 'application/json') JSON.parse(withoutMark(body.toString(charset as 'utf-8')));
		const isText = type === 'text/plain' || type === 'application/x-www-form-urlencoded';
		if (isText) body.toString(charset as 'utf-8');
		return true;
	} catch {
		return false;
	}
}

function handOver(headers: HeaderLines, body: Buffer): Passage {
	const values = (name: string) =>
		headers
			.filter(([given]) => given.toLowerCase() === name)
			.map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ''))
			.filter((value, _index, all) => value !== '' || all.length > 1);
	const contentType = valueOf(headers, 'content-type').replace(/^[ \t]+|[ \t]+$/g, '');
	const [type = '', ...parameters] = contentType.toLowerCase().split(';');
	if (type === 'multipart/form-data')
		return { own: ['noForm'], arrived: { values, body: undefined } };
	const encoding = values('content-encoding').join(', ');
	const isPacked = ['gzip', 'deflate'].includes(encoding);
	const unpacked = unpack(encoding, body);
	if (isPacked && body.length === 0) {
		return { own: ['notCompressed'], arrived: { values, body } };
	}
	// The node, not n8n, has the body read where n8n knows nothing to do with its type.
	const failed = (...own: HostOutcome[]): Passage => ({
		own,
		arrived: { values, body: undefined },
	});
	if (unpacked === undefined) return failed('notCompressed');
	if (unpacked.length > maximumBytes) return failed('beyondLimit');
	const readable = type.startsWith('multipart/')
		? true
		: isReadable(type, charsetOf(parameters), unpacked);
	if (readable === false) return alone('unreadable');
	return { own: readable ? [] : ['unreadable'], arrived: { values, body: unpacked } };
}

/** What becomes of a request on its way to the node. */
export function passageOf(request: WireRequest): Passage {
	const { headers, body, framing } = request;
	if (!isHttp(request)) return alone('noHttp');
	const size = sizeOf(headers);
	const { announced = 0, lines } = framing;
	const isIncomplete = announced > 0 || lines !== undefined;
	if (size > headerBytes.tooMany) {
		return isIncomplete ? alone('headersTooLarge', 'noHttp') : alone('headersTooLarge');
	}
	if (isIncomplete) return alone('noHttp', 'none');
	const arrived = body.subarray(0, Math.max(0, body.length + announced));
	const passage = handOver(headers, arrived);
	// What is left over is taken for the next request.
	if (announced < 0) passage.own.push('noHttp', 'none');
	if (size > headerBytes.certain) passage.own.push('headersTooLarge');
	return passage;
}
