import { parseArgs } from 'node:util';
import { endWhenAsked, fail, listening, wholeNumber } from '../shared/http/process.mts';
import { buildApp } from './app.mts';

const USAGE =
	'Usage: node sandbox/service/main.mts [--port 4010] [--host 127.0.0.1] [--address <host:port>]... [--parent] [--record-secrets] [--delivery-timeout-ms 5000]';

const { values } = readArguments();
const { host } = values;
const port = wholeNumber('--port', values.port);
const app = await buildApp({
	deliveryTimeoutMs: wholeNumber('--delivery-timeout-ms', values['delivery-timeout-ms'], 600_000),
	recordSecrets: values['record-secrets'],
	host,
	addresses: values.address,
});
// In place before the ready line, so that whoever reads it can end the service at once.
endWhenAsked(() => app.close(), values.parent);
const address = await listening('--port', port, app.listen({ port, host }));
console.log(`The sandbox service is ready at ${address}`);

function readArguments() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: '4010' },
				host: { type: 'string', default: '127.0.0.1' },
				address: { type: 'string', multiple: true, default: [] },
				parent: { type: 'boolean', default: false },
				'record-secrets': { type: 'boolean', default: false },
				'delivery-timeout-ms': { type: 'string', default: '5000' },
			},
		});
	} catch {
		return fail(USAGE);
	}
}
