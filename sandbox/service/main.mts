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
const keys = {
	apiKey: process.env.SANDBOX_API_KEY || 'sandbox-api-key',
	tokenId: process.env.SANDBOX_TOKEN_ID || 'sandbox-token-id',
};
const app = await buildApp({ deliveryTimeoutMs, recordSecrets, host, addresses, keys });
// Before the ready line, so that whoever reads that line can stop the service at once.
endWhenAsked(() => app.close(), values.parent);
const url = await listening('--port', port, app.listen({ port, host }));
console.log(`The sandbox service is ready at ${url}`);
