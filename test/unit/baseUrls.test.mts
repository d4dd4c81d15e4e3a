import fc from 'fast-check';
import { addressesOf, parseAddress } from '../../nodes/DataCollection/service/baseUrls.ts';
import { isLoopback, isPrivate, parseHttpUrl } from '../../nodes/DataCollection/service/url.ts';
import { guestLink, pathSegment } from '../../nodes/DataCollection/service/guestLink.ts';
import { containing } from '../support/matchers.mts';

/** What is read of these two addresses. */
const production = (baseUrl: string, collectUrl: string) =>
	addressesOf({
		environment: 'production',
		productionBaseUrl: baseUrl,
		productionCollectUrl: collectUrl,
	});

test.each([
	['  HTTPS://API.Example.COM/V1///\n', 'https://api.example.com/V1'],
	['https://api.example.com:8443/v1', 'https://api.example.com:8443/v1'],
	['https://zürich.example/a/../b', 'https://xn--zrich-kva.example/b'],
	['http://127.1:4010/v1/', 'http://127.0.0.1:4010/v1'],
	['http://[::1]:4010', 'http://[::1]:4010'],
])('the address %j is accepted as %s', (text, address) => {
	expect(parseAddress(text)).toEqual({ ok: true, value: address });
});

const NO_HTTPS =
	'must start with https:// (http:// is allowed only for an address on the same machine as n8n)';

test.each<[reason: string, ...texts: string[]]>([
	['is empty', '', '   '],
	[
		'is not a complete address, such as https://api.example.com',
		'api.example.com',
		'/v1',
		'https://',
		'ftp://a.example',
	],
	[
		'is not a complete address, such as https://api.example.com',
		'javascript:alert(1)',
		'https://999.999.999.999',
	],
	[NO_HTTPS, 'http://api.example.com', 'http://service.localhost', 'http://10.0.0.1'],
	['must not contain a user name or password', 'https://user@a.example', 'https://:pass@a.example'],
	['must not contain a query (the part after "?")', 'https://a.example/?a=1', 'https://a.example?'],
	[
		'must not contain a fragment (the part after "#")',
		'https://a.example#',
		'https://a.example/#a',
	],
])('an address is refused, and why: %s, as in %j', (reason, ...texts) => {
	for (const text of texts) expect(parseAddress(text)).toEqual({ ok: false, error: reason });
});

test('no text makes it throw, and an accepted address is an https or loopback URL', () => {
	const webUrl = fc.webUrl({ withQueryParameters: true });
	const text = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), webUrl);
	fc.assert(
		fc.property(text, (given) => {
			const parsed = parseAddress(given);
			if (!parsed.ok) return;
			const url = new URL(parsed.value);
			if (!isLoopback(url.hostname)) expect(url.protocol).toBe('https:');
			expect(`${url.search}${url.hash}${url.username}${url.password}`).toBe('');
			expect(parsed.value).not.toMatch(/\/$/);
		}),
	);
});

describe('what the nodes add to an address', () => {
	const BASE_URL = 'https://api.example.com';
	const COLLECT_URL = 'https://collect.example.com';

	test.each([
		['API Base URL', `${BASE_URL}/v1/di/`, '/di'],
		['API Base URL', `${BASE_URL}/di/collection-request/`, '/di/collection-request'],
		['API Base URL', `${BASE_URL}/di/share/65f0`, '/di/share/65f0'],
		['Collect URL', `${COLLECT_URL}/request`, '/request'],
		['Collect URL', `${COLLECT_URL}/request/65f0`, '/request/65f0'],
	])('is refused in the %s %s: %s', (label, text, added) => {
		const isBaseUrl = label === 'API Base URL';
		const read = isBaseUrl ? production(text, COLLECT_URL) : production(BASE_URL, text);
		const message = `The ${label} (production) must end before "${added}": the nodes add that part`;
		expect(read).toEqual({ ok: false, error: { message, description: containing(label) } });
	});

	test.each([
		['https://di.example.com/audi/v1', COLLECT_URL],
		['https://api.example.com/di/v1', 'https://collect.example.com/di'],
		['https://api.example.com/request', 'https://collect.example.com/request/portal/v1'],
	])('may be in another place: %s and %s', (baseUrl, collectUrl) => {
		const value = { environment: 'production', baseUrl, collectUrl };
		expect(production(baseUrl, collectUrl)).toEqual({ ok: true, value });
	});
});

test('guest links, which carry no key, may also be http in a private network', () => {
	const read = (collectUrl: string) => production('https://api.example.com', collectUrl);
	expect(read('http://192.168.1.20:5678/webhook/1')).toMatchObject({ ok: true });
	const where = 'http:// is allowed only for an address in your own network';
	const message = `The Collect URL (production) must start with https:// (${where})`;
	expect(read('http://collect.example.com')).toMatchObject({ ok: false, error: { message } });
});

test.each([undefined, '', 'Production', ['production']])(
	'the environment %j is none, and does not stand for production',
	(environment) => {
		const productionBaseUrl = 'https://api.example.com';
		const read = addressesOf({ environment, productionBaseUrl } as never);
		const message = 'Environment in the credential is not one of its choices';
		expect(read).toEqual({ ok: false, error: { message, description: containing('staging') } });
	},
);

test('the practice service has one address, and its key is public: http in a private network, too', () => {
	const read = (practiceUrl: string) => addressesOf({ environment: 'practice', practiceUrl });
	const path = '/webhook/data-collection-practice';
	const url = `http://192.168.1.20:5678${path}`;
	const addresses = { environment: 'practice', baseUrl: url, collectUrl: url };
	expect(read(`${url}/`)).toEqual({ ok: true, value: addresses });
	const label = 'The Practice Service URL (practice)';
	const message = containing(`${label} must start with https://`);
	expect(read(`http://n8n.example.com${path}`)).toMatchObject({ ok: false, error: { message } });
});

test('parseHttpUrl takes absolute addresses of http and https alone', () => {
	const urls = ['https://n8n.example.com/webhook/1/webhook', 'http://n8n.example.com'];
	const others = ['mailto:a@example.com', '//n8n.example.com', '{{ $json.url }}'];
	expect([...urls, ...others].filter((text) => parseHttpUrl(text) !== undefined)).toEqual(urls);
});

/** Hosts in the notations that people may use, by who can reach them. */
const HOSTS = {
	'this machine alone': `localhost 127.0.0.1 127.255.255.254 2130706433 0177.0.0.1 [::1]`,
	'its own network': `n8n.localhost 10.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.1.20
		169.254.169.254 0.0.0.0 [::] [fc00::1] [fd12:3456:789a::1] [fe80::1] [febf::1]`,
	everybody: `example.com localhost.example.com mylocalhost 10.example.com 192.168.example.com
		127.0.0.1.example.com 11.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 128.0.0.1 [2001:db8::1]
		[fec0::1] fc00.example.com`,
};

test.each(Object.entries(HOSTS))('%s reaches: %s', (reach, hosts) => {
	for (const host of hosts.split(/\s+/)) {
		const { hostname } = new URL(`http://${host}`);
		const found = [host, isLoopback(hostname), isPrivate(hostname)];
		expect(found).toEqual([host, reach === 'this machine alone', reach !== 'everybody']);
	}
});

describe('an ID in a path', () => {
	test('is one segment, and comes back as it was', () => {
		expect(pathSegment('../x')).toBe('..%2Fx');
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
				const url = new URL(`https://api.example.com/di/share/${pathSegment(id)}x`);
				expect(url.pathname.split('/')).toHaveLength(4);
				expect(decodeURIComponent(url.pathname.slice('/di/share/'.length))).toBe(`${id}x`);
			}),
		);
	});

	test('never throws, whatever it is made of', () => {
		expect(pathSegment('\ud83d')).toBe('%EF%BF%BD');
		fc.assert(
			fc.property(fc.array(fc.nat(0xffff)), (units) => {
				expect(pathSegment(String.fromCharCode(...units))).toMatch(/^[\x21-\x7e]*$/);
			}),
		);
	});
});

test('a guest link is the collect URL, /request/ and the encoded request ID', () => {
	const link = 'https://collect.example.com/form/request/a%2Fb';
	expect(guestLink('https://collect.example.com/form', 'a/b')).toBe(link);
});
