import { endWhenAsked, listening, readOptions, wholeNumber } from '../shared/http/process.mts';
import { buildApp } from './app.mts';

const USAGE =
	'node sandbox/service/main.mts [--port 4010] [--address <host:port>]... [--parent] [--record-secrets] [--delivery-timeout-ms 5000]';

const values = readOptions(USAGE, {
	port: { type: 'string', default: '4010' },
	address: { type: 'string', multiple: true, default: [] },
	parent: { type: 'boolean', default: false },
	'record-secrets': { type: 'boolean', default: false },
	'delivery-timeout-ms': { type: 'string', default: '5000' },
});
const { address: addresses, 'record-secrets': recordSecrets } = values;
const port = wholeNumber('--port', values.port);
const timeout = values['delivery-timeout-ms'];
const deliveryTimeoutMs = wholeNumber('--delivery-timeout-ms', timeout, 600_000);
const app = await buildApp({ deliveryTimeoutMs, recordSecrets, addresses });
// Before the ready line, so that whoever reads that line can stop the service at once.
endWhenAsked(() => app.close(), values.parent);
const url = await listening('--port', port, app.listen({ port, host: '127.0.0.1' }));
console.log(`The sandbox service is ready at ${url}`);
