import { gunzipSync, inflateSync } from 'node:zlib';
import { valueOf } from '../../support/delivery.mts';
import type { OwnOutcome } from '../../support/n8nAnswers.mts';
import type { Arrived } from './reference.mts';
import { isIncomplete, type HeaderLines, type WireRequest } from './request.mts';

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

const trimmed = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

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

/** Whether n8n can read the body as what its type says; undefined when that is not certain. */
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
	// The node, not n8n, has the body read where n8n knows nothing to do with its type.
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

/** What becomes of a request on its way to the node. */
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
	// What is left over is taken for the next request.
	if (announced < 0) passage.own.push('noHttp', 'none');
	if (size > headerBytes.certain) passage.own.push('headersTooLarge');
	return passage;
}
