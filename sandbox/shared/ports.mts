import getPort, { portNumbers } from 'get-port';
import { Failure } from './failure.mts';

const host = '127.0.0.1';

/**
 * Where this process looks for free ports: above 10080, the last one that browsers and fetch refuse, and
 * below those that systems give to outgoing connections, which could take one before it is used. Another
 * process that starts at this moment looks elsewhere.
 */
const first = 10_100 + ((process.pid * 20) % 20_000);

/** `count` different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
	const port = [...portNumbers(first, first + 2_000)];
	return await Promise.all(Array.from({ length: count }, () => getPort({ host, port })));
}

/** A port that a person sees; throws a Failure if the variable is invalid or the port is busy. */
async function choose(what: string, variable: string, usual: number): Promise<number> {
	const given = process.env[variable] || String(usual);
	const port = Number(given);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Failure(`${variable} is "${given}": set it to a port number, e.g. ${usual}.`);
	}
	if ((await getPort({ port, host })) === port) return port;
	throw new Failure(
		`Port ${port} for ${what} is busy: stop the program that uses it, or choose another port with ${variable}=${port + 1000}.`,
	);
}

/** The ports of the sandbox. */
export const choosePorts = async () => ({
	n8n: await choose('n8n', 'SANDBOX_N8N_PORT', 5678),
	mailbox: await choose('the emails', 'SANDBOX_MAILBOX_PORT', 4020),
});
