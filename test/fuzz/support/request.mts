/** A notification before it is signed. */
export interface Letter {
	/** Value of X-SVC-Timestamp. */
	timestamp: string;
	body: Buffer;
	secret: string;
}

export type HeaderLines = Array<[name: string, value: string]>;

/** How the body is cut and announced. */
export interface Framing {
	/** Bytes of each chunk; without it there is a Content-Length. */
	chunk?: number;
	/** Follows the size of every chunk. */
	extension?: string;
	/** Header lines after the last chunk. */
	trailers?: HeaderLines;
	/** Bytes that Content-Length says more, or fewer, than there are. */
	announced?: number;
	/** Lines in place of Content-Length or beside Transfer-Encoding. */
	lines?: HeaderLines;
}

/** A request as it goes over the wire; a header's characters are its bytes. */
export interface WireRequest {
	headers: HeaderLines;
	body: Buffer;
	framing: Framing;
}

/** The secrets of one run. */
export interface World {
	secret: string;
	/** Still accepted. */
	previous: string[];
	/** Never accepted. */
	foreign: string[];
}

/** One change to a good delivery, before or after it is signed. */
export interface Mutation {
	title: string;
	/** `now` is in milliseconds. */
	letter?: (letter: Letter, world: World, now: number) => Letter;
	request?: (request: WireRequest, letter: Letter, world: World) => WireRequest;
}

export const names = {
	signature: 'X-SVC-Signature',
	timestamp: 'X-SVC-Timestamp',
	event: 'X-SVC-Event',
	deliveryId: 'X-SVC-Delivery-Id',
	type: 'Content-Type',
	encoding: 'Content-Encoding',
} as const;

const isNamed = (name: string, line: HeaderLines[number]) =>
	line[0].toLowerCase() === name.toLowerCase();

/** The first value of a header; empty when there is none. */
export const valueOf = (headers: HeaderLines, name: string) =>
	headers.find((line) => isNamed(name, line))?.[1] ?? '';

/** The request with a header once for each value, in place of what it had. */
export function withHeader(request: WireRequest, name: string, ...values: string[]): WireRequest {
	const others = request.headers.filter((line) => !isNamed(name, line));
	const added = values.map((value): HeaderLines[number] => [name, value]);
	return { ...request, headers: [...others, ...added] };
}

/** UTF-8 bytes as the characters of a header. */
export const headerText = (text: string) => Buffer.from(text).toString('latin1');
