import { endWhenAsked, listening, readOptions, wholeNumber } from '../shared/http/process.mts';
import { buildApp } from './app.mts';

const USAGE =
	'node sandbox/service/main.mts [--port 4010] [--host 127.0.0.1] [--address <host:port>]... [--parent] [--record-secrets] [--delivery-timeout-ms 5000]';

const values = readOptions(USAGE, {
	port: { type: 'string', default: '4010' },
	host: { type: 'string', default: '127.0.0.1' },
	address: { type: 'string', multiple: true, default: [] },
	parent: { type: 'boolean', default: false },
	'record-secrets': { type: 'boolean', default: false },
	'delivery-timeout-ms': { type: 'string', default: '5000' },
});
const { host, address: addresses, 'record-secrets': recordSecrets } = values;
const port = wholeNumber('--port', values.port);
const timeout = values['delivery-timeout-ms'];
const deliveryTimeoutMs = wholeNumber('--delivery-timeout-ms', timeout, 600_000);
const { SANDBOX_API_KEY: apiKey, SANDBOX_TOKEN_ID: tokenId } = process.env;
const keys = { apiKey, tokenId };
const app = await buildApp({ deliveryTimeoutMs, recordSecrets, host, addresses, ...keys });
// Before the ready line, so that whoever reads that line can stop the service at once.
endWhenAsked(() => app.close(), values.parent);
const url = await listening('--port', port, app.listen({ port, host }));
console.log(`The sandbox service is ready at ${url}`);
