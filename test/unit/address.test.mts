import fc from 'fast-check';
import {
	addressesOf,
	isLoopback,
	isPrivate,
	parseAddress,
	parseHttpUrl,
} from '../../nodes/DataCollection/credential/address.ts';
import { guestLink, pathSegment } from '../../nodes/DataCollection/guestLink.ts';

/** The host as the product sees it: after the URL parser has normalised it. */
const hostOf = (url: string) => new URL(url).hostname;

/** A text entered as one of the credential's addresses. */
function parsedAs(field: string, text: string) {
	const { baseUrl, collectUrl } = addressesOf({ [field]: text });
	return field === 'productionBaseUrl' ? baseUrl : collectUrl;
}

describe('parseAddress accepts, without trailing slashes', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		['  https://api.example.com\n', 'https://api.example.com'],
		['HTTPS://API.Example.COM/V1', 'https://api.example.com/V1'],
		['https://api.example.com/v1/data', 'https://api.example.com/v1/data'],
		['https://api.example.com/v1/data//', 'https://api.example.com/v1/data'],
		['https://api.example.com:8443/v1', 'https://api.example.com:8443/v1'],
		['https://api.example.com:443', 'https://api.example.com'],
		['https://api.example.com/a/../b', 'https://api.example.com/b'],
		['https://zürich.example/v1', 'https://xn--zrich-kva.example/v1'],
		['http://localhost:4010', 'http://localhost:4010'],
		['http://127.0.0.1:4010/v1/', 'http://127.0.0.1:4010/v1'],
		['http://127.1:4010', 'http://127.0.0.1:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('%j as %s', (text, address) => {
		expect(parseAddress(text)).toEqual({ ok: true, address });
	});
});

describe('parseAddress refuses, and says why', () => {
	test.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['api.example.com', 'is not an absolute https:// address'],
		['/v1', 'is not an absolute https:// address'],
		['https://', 'is not an absolute https:// address'],
		['not a URL', 'is not an absolute https:// address'],
		['ftp://api.example.com', 'is not an absolute https:// address'],
		['file:///etc/passwd', 'is not an absolute https:// address'],
		['javascript:alert(1)', 'is not an absolute https:// address'],
		['data:,x', 'is not an absolute https:// address'],
		['https://999.999.999.999', 'is not an absolute https:// address'],
		[
			'http://api.example.com',
			'must start with https:// (http:// is for a service on this machine only)',
		],
		[
			'http://service.localhost',
			'must start with https:// (http:// is for a service on this machine only)',
		],
		['http://10.0.0.1', 'must start with https:// (http:// is for a service on this machine only)'],
		[
			'http://localhost.example.com',
			'must start with https:// (http:// is for a service on this machine only)',
		],
		['https://user:pass@api.example.com', 'must not contain a user name or password'],
		['https://user@api.example.com', 'must not contain a user name or password'],
		['https://:pass@api.example.com', 'must not contain a user name or password'],
		['https://api.example.com/?a=1', 'must not contain a query (the part after "?")'],
		['https://api.example.com?', 'must not contain a query (the part after "?")'],
		['https://api.example.com/#top', 'must not contain a fragment (the part after "#")'],
		['https://api.example.com#', 'must not contain a fragment (the part after "#")'],
	])('%j %s', (text, reason) => {
		expect(parseAddress(text)).toEqual({ ok: false, reason });
	});

	test.each([
		['productionBaseUrl', 'https://api.example.com/v1/di/', '/di'],
		['productionBaseUrl', 'https://api.example.com/di/share', '/di/share'],
		['productionBaseUrl', 'https://a.example/di/collection-request/', '/di/collection-request'],
		['productionBaseUrl', 'https://a.example/di/share/65f0', '/di/share/65f0'],
		['productionCollectUrl', 'https://collect.example.com/request', '/request'],
		['productionCollectUrl', 'https://collect.example.com/request/65f0', '/request/65f0'],
	])('a part of %s that the nodes add: %s', (field, text, tooMuch) => {
		const reason = `must end before "${tooMuch}": the nodes add that part`;
		expect(parsedAs(field, text)).toEqual({ ok: false, reason });
	});

	test.each([
		['productionBaseUrl', 'https://di.example.com/audi/v1'],
		['productionBaseUrl', 'https://api.example.com/di/v1'],
		['productionBaseUrl', 'https://api.example.com/request'],
		['productionCollectUrl', 'https://collect.example.com/di'],
		['productionCollectUrl', 'https://collect.example.com/request/portal/v1'],
	])('but not a similar %s: %s', (field, text) => {
		expect(parsedAs(field, text)).toEqual({ ok: true, address: text });
	});

	test('no text makes it throw, and an accepted address is an https or loopback URL', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.webUrl(),
			fc.webUrl({ withQueryParameters: true }),
		);
		fc.assert(
			fc.property(text, (given) => {
				const parsed = parseAddress(given);
				if (!parsed.ok) return;
				const url = new URL(parsed.address);
				expect(url.protocol === 'https:' || isLoopback(url.hostname)).toBe(true);
				expect(`${url.search}${url.hash}${url.username}${url.password}`).toBe('');
				expect(parsed.address.endsWith('/')).toBe(false);
			}),
		);
	});
});

test.each([
	['https://n8n.example.com/webhook/1/webhook', true],
	['http://n8n.example.com', true],
	['mailto:a@example.com', false],
	['//n8n.example.com', false],
	['{{ $json.url }}', false],
])('parseHttpUrl of %s', (text, isUrl) => {
	expect(parseHttpUrl(text) !== undefined).toBe(isUrl);
});

describe('this machine', () => {
	test.each([
		'http://localhost',
		'http://localhost.',
		'http://127.0.0.1',
		'http://127.255.255.254',
		'http://127.1',
		'http://2130706433',
		'http://0x7f.0.0.1',
		'http://0177.0.0.1',
		'http://[::1]',
		'http://[0:0:0:0:0:0:0:1]',
		'http://[::ffff:127.0.0.1]',
	])('%s', (url) => {
		expect(isLoopback(hostOf(url))).toBe(true);
		expect(isPrivate(hostOf(url))).toBe(true);
	});
});

describe('its own network, but not this machine', () => {
	test.each([
		'http://n8n.localhost',
		'http://10.0.0.1',
		'http://10.255.255.255',
		'http://167772161',
		'http://172.16.0.1',
		'http://172.31.255.255',
		'http://192.168.1.20',
		'http://0xc0.0xa8.1.1',
		'http://169.254.169.254',
		'http://0.0.0.0',
		'http://0',
		'http://[::]',
		'http://[fc00::1]',
		'http://[fd12:3456:789a::1]',
		'http://[fe80::1]',
		'http://[febf::1]',
		'http://[::ffff:10.0.0.1]',
		'http://[::ffff:192.168.0.1]',
	])('%s', (url) => {
		expect(isLoopback(hostOf(url))).toBe(false);
		expect(isPrivate(hostOf(url))).toBe(true);
	});
});

describe('reachable from elsewhere', () => {
	test.each([
		'http://example.com',
		'http://localhost.example.com',
		'http://mylocalhost',
		'http://10.example.com',
		'http://192.168.example.com',
		'http://127.0.0.1.example.com',
		'http://11.0.0.1',
		'http://172.15.0.1',
		'http://172.32.0.1',
		'http://192.169.0.1',
		'http://128.0.0.1',
		'http://[2001:db8::1]',
		'http://[::ffff:8.8.8.8]',
		'http://[fec0::1]',
		'http://fc00.example.com',
	])('%s', (url) => {
		expect(isPrivate(hostOf(url))).toBe(false);
	});
});

describe('an ID in a path', () => {
	test.each([
		['65f0c1a2b3c4d5e6f7a8b9c2', '65f0c1a2b3c4d5e6f7a8b9c2'],
		['a/b', 'a%2Fb'],
		['../x', '..%2Fx'],
		['?q', '%3Fq'],
		['#', '%23'],
		['a b', 'a%20b'],
		['a\nb', 'a%0Ab'],
		['Zürich', 'Z%C3%BCrich'],
		['😀', '%F0%9F%98%80'],
		['\ud83d', '%EF%BF%BD'],
	])('%j is %s', (id, segment) => {
		expect(pathSegment(id)).toBe(segment);
	});

	test('stays one segment, and comes back as it was', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
				const url = new URL(`https://api.example.com/di/share/${pathSegment(id)}x`);
				expect(url.pathname.split('/')).toHaveLength(4);
				expect(decodeURIComponent(url.pathname.slice('/di/share/'.length))).toBe(`${id}x`);
			}),
		);
	});

	test('never throws', () => {
		fc.assert(
			fc.property(fc.array(fc.nat(0xffff)), (units) => {
				expect(pathSegment(String.fromCharCode(...units))).toMatch(/^[\x21-\x7e]*$/);
			}),
		);
	});
});

test('a guest link is the collect URL, /request/ and the encoded request ID', () => {
	expect(guestLink('https://collect.example.com/form', 'a/b')).toBe(
		'https://collect.example.com/form/request/a%2Fb',
	);
});
