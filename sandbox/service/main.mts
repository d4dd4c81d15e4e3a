import { parseArgs } from 'node:util';
import { buildApp } from './app.mts';

const USAGE =
	'Usage: node sandbox/service/main.mts [--port 4010] [--host 127.0.0.1] [--address <host:port>]... [--parent] [--record-secrets] [--delivery-timeout-ms 5000]';

const { values } = readArguments();
const port = wholeNumber('--port', values.port, 65_535);
const app = await buildApp({
	deliveryTimeoutMs: wholeNumber('--delivery-timeout-ms', values['delivery-timeout-ms'], 600_000),
	recordSecrets: values['record-secrets'],
	host: values.host,
	addresses: values.address,
});

// In place before the ready line, so that whoever reads it can end the service at once.
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values.parent) process.stdin.resume().once('close', stop);

try {
	const address = await app.listen({ port, host: values.host });
	console.log(`The sandbox service is ready at ${address}`);
} catch (error) {
	fail(explain(error));
}

function stop(): void {
	void app.close().finally(() => process.exit(0));
}

function readArguments() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: '4010' },
				host: { type: 'string', default: '127.0.0.1' },
				address: { type: 'string', multiple: true },
				parent: { type: 'boolean', default: false },
				'record-secrets': { type: 'boolean', default: false },
				'delivery-timeout-ms': { type: 'string', default: '5000' },
			},
		});
	} catch {
		return fail(USAGE);
	}
}

function wholeNumber(name: string, text: string, maximum: number): number {
	const isAccepted = /^\d+$/.test(text) && Number(text) <= maximum;
	return isAccepted ? Number(text) : fail(`${name} must be a whole number up to ${maximum}.`);
}

function explain(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use: stop the program that uses it, or choose another port with --port (0 takes any free one).`;
	}
	if (code === 'EACCES')
		return `Port ${port} needs more rights: choose one above 1023 with --port.`;
	return `The sandbox service cannot listen on ${values.host}, port ${port}: choose others with --host and --port.`;
}

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}
