import fc from 'fast-check';
import { addressesOf, parseAddress } from '../../nodes/DataCollection/service/credentialUrls.ts';
import { isLoopback, isPrivate, parseHttpUrl } from '../../nodes/DataCollection/basics/url.ts';
import { pathSegment } from '../../nodes/DataCollection/basics/url.ts';
import { guestLink } from '../../nodes/DataCollection/service/guestLink.ts';
import { containing } from '../support/matchers.mts';

/** What is read of these two addresses. */
const production = (productionBaseUrl: string, productionCollectUrl: string) =>
	addressesOf({ environment: 'production', productionBaseUrl, productionCollectUrl });

test.each([
	['  HTTPS://API.Example.COM:8443/V1///\n', 'https://api.example.com:8443/V1'],
	['https://zürich.example/a/../b', 'https://xn--zrich-kva.example/b'],
	['http://127.1:4010/v1/', 'http://127.0.0.1:4010/v1'],
	['http://[::1]:4010', 'http://[::1]:4010'],
])('the address %j is accepted as %s', (text, address) => {
	expect(parseAddress(text)).toEqual({ ok: true, value: address });
});

const INCOMPLETE = 'is not a complete address, such as https://api.example.com';
const NO_HTTPS =
	'must start with https:// (http:// is allowed only for an address on the same machine as n8n)';

test.each<[reason: string, ...texts: string[]]>([
	['is empty', '', '   '],
	[INCOMPLETE, 'api.example.com', '/v1', 'https://', 'ftp://a.example', 'https://999.999.999.999'],
	[NO_HTTPS, 'http://api.example.com', 'http://service.localhost', 'http://10.0.0.1'],
	['must not contain a user name or password', 'https://user@a.example', 'https://:pass@a.example'],
	['must not contain a query (the part after "?")', 'https://a.example/?a=1', 'https://a.example?'],
	[
		'must not contain a fragment (the part after "#")',
		'https://a.example/#a',
		'https://a.example#',
	],
])('an address is refused: it %s', (error, ...texts) => {
	expect(texts.map((text) => parseAddress(text))).toEqual(texts.map(() => ({ ok: false, error })));
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

test.each([
	['API Base URL', 'https://a.example/v1/di/', '/di'],
	['API Base URL', 'https://a.example/di/collection-request/', '/di/collection-request'],
	['API Base URL', 'https://a.example/di/share/65f0', '/di/share/65f0'],
	['Collect URL', 'https://a.example/request', '/request'],
	['Collect URL', 'https://a.example/request/65f0', '/request/65f0'],
])('what the nodes add is refused in the %s %s: %s', (label, text, added) => {
	const [baseUrl, collectUrl] = ['https://api.example.com', 'https://collect.example.com'];
	const isBaseUrl = label === 'API Base URL';
	const read = isBaseUrl ? production(text, collectUrl) : production(baseUrl, text);
	const message = `The ${label} (production) must end before "${added}": the nodes add that part`;
	expect(read).toEqual({ ok: false, error: { message, description: containing(label) } });
});

test.each([
	['https://di.example.com/audi/v1', 'https://collect.example.com/di'],
	['https://api.example.com/request', 'https://collect.example.com/request/portal/v1'],
])('what the nodes add may be elsewhere: %s and %s', (baseUrl, collectUrl) => {
	const value = { environment: 'production', baseUrl, collectUrl };
	expect(production(baseUrl, collectUrl)).toEqual({ ok: true, value });
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

describe('http in a private network, where no key needs to be protected, is accepted', () => {
	const refusal = (label: string) => ({
		ok: false,
		error: {
			message: containing(
				`${label} must start with https:// (http:// is allowed only for an address in your own network)`,
			),
		},
	});

	test('for guest links, which carry none', () => {
		const read = (collectUrl: string) => production('https://api.example.com', collectUrl);
		expect(read('http://192.168.1.20:5678/webhook/1')).toMatchObject({ ok: true });
		expect(read('http://c.example.com')).toMatchObject(refusal('The Collect URL (production)'));
	});

	test('for the practice service, whose key is public, and whose two addresses are one', () => {
		const read = (practiceUrl: string) => addressesOf({ environment: 'practice', practiceUrl });
		const url = 'http://192.168.1.20:5678/webhook/data-collection-practice';
		const value = { environment: 'practice', baseUrl: url, collectUrl: url };
		expect(read(`${url}/`)).toEqual({ ok: true, value });
		const label = 'The Practice Service URL (practice)';
		expect(read('http://n8n.example.com/webhook/1')).toMatchObject(refusal(label));
	});
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

test('an ID in a path is one segment, and comes back as it was, but for half characters', () => {
	expect([pathSegment('../x'), pathSegment('\ud83d')]).toEqual(['..%2Fx', '%EF%BF%BD']);
	fc.assert(
		fc.property(fc.array(fc.nat(0xffff)), (units) => {
			const id = String.fromCharCode(...units);
			const segment = pathSegment(id);
			expect(segment).toMatch(/^[\x21-\x7e]*$/);
			expect(new URL(`https://api.example.com/di/${segment}x`).pathname).toBe(`/di/${segment}x`);
			expect(decodeURIComponent(segment)).toBe(id.toWellFormed());
		}),
	);
});

test('a guest link is the collect URL, /request/ and the encoded request ID', () => {
	const link = 'https://collect.example.com/form/request/a%2Fb';
	expect(guestLink('https://collect.example.com/form', 'a/b')).toBe(link);
});
