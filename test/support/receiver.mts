import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Delivery } from './delivery.mts';
import { headOf as headOfRequest } from './send.mts';

/** A program that listens on the port it names in its first line. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The head of a request to it, up to and including the empty line. */
export const headOf = (headers: Delivery['headers']): Buffer =>
	headOfRequest('http://localhost/', 'POST', headers);

const write = async (socket: Socket, bytes: Buffer) =>
	await new Promise<boolean>((resolve) => socket.write(bytes, (error) => resolve(!error)));

async function exchange(socket: Socket, bytes: Iterable<Buffer>) {
	let reply = '';
	const closed = new Promise((resolve) => socket.once('close', resolve));
	socket.on('data', (chunk: Buffer) => (reply += chunk.toString('latin1')));
	let written = 0;
	for (const chunk of bytes) {
		const isGone = closed.then(() => false);
		if (reply !== '' || !(await Promise.race([write(socket, chunk), isGone]))) break;
		written += chunk.length;
	}
	await closed;
	const status = /^HTTP\/1\.[01] (\d{3})/.exec(reply)?.[1];
	return { status: status === undefined ? undefined : Number(status), written };
}

/** Starts a receiver from the documents; `secret` is the webhook secret. */
export async function startReceiver(
	command: string,
	file: string,
	{ cwd, secret }: { cwd: string; secret: string },
) {
	const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
	const program = spawn(command, [file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
	const exited = once(program, 'exit');
	let errors = '';
	program.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
	/** The next line that the program prints. */
	const nextLine = async () => {
		const { value } = (await lines.next()) as { value?: string };
		if (value === undefined) throw new Error(`${command} ${file} ended: ${errors}`);
		return value;
	};
	const port = Number(/^Listening on port (\d+)$/.exec(await nextLine())?.[1]);
	const dial = () => {
		const socket = connect({ host: '127.0.0.1', port });
		// A receiver that refuses what is still being written resets the connection.
		socket.on('error', () => undefined);
		return socket;
	};
	return {
		/** The next line that the program prints. */
		nextLine,
		/** Writes bytes unchanged until the receiver has responded. */
		exchange: (bytes: Iterable<Buffer>) => exchange(dial(), bytes),
		/** A connection to which these bytes have been written. */
		open: async (bytes: Buffer) => {
			const socket = dial();
			await write(socket, bytes);
			return socket;
		},
		/** Stops the program; throws if it had already ended or has printed a stack trace. */
		stop: async () => {
			const { exitCode } = program;
			program.kill();
			await exited;
			if (exitCode !== null) throw new Error(`${command} ${file} ended by itself: ${errors}`);
			if (/Traceback|^\s+at /m.test(errors)) throw new Error(errors);
		},
	};
}
