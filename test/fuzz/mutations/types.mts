import fc from 'fast-check';
import { drawn, names, ofHeader } from '../support/mutation.mts';

const types = [
	...['application/json', 'APPLICATION/JSON', 'application/json ', 'text/plain', 'text/json'],
	...['application/octet-stream', 'application/cloudevents+json', 'application/x-ndjson', ''],
	...['application/x-www-form-urlencoded', 'multipart/mixed', 'multipart/form-data'],
	...['multipart/form-data; boundary=x', 'application/jose', 'image/png', 'json', '*/*', ';'],
];

const charsets = [
	...['utf-8', 'UTF-8', 'utf8', '"utf-8"', ' utf-8', 'latin1', 'ascii', 'us-ascii'],
	...['utf-16le', 'ucs2', 'utf-16', 'hex', 'base64', 'bogus', '"utf-8', 'iso-8859-1', ''],
];

const typed = (type: string) => ofHeader(`Content-Type: ${type}`, names.type, () => type);

/** n8n hands these bodies over unread, so that the node itself has to read them. */
export const asBytes = typed('application/octet-stream');

/** The type and the character set that a body is said to have. */
export const typeMutations = fc.oneof(
	drawn(1, [fc.constantFrom(...types)], typed),
	drawn(
		1,
		[fc.constantFrom(...types.slice(0, 10)), fc.constantFrom(...charsets)],
		(type, charset) => typed(`${type}; charset=${charset}`),
	),
	drawn(1, [fc.constantFrom('profile="x"', 'a=b; charset=utf-8', 'charset', ';;;')], (parameter) =>
		typed(`application/json; ${parameter}`),
	),
);
