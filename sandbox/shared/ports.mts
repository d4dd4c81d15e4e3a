import getPort from 'get-port';
import { Failure } from './failure.mts';

const host = '127.0.0.1';

/** `count` different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
	return await Promise.all(Array.from({ length: count }, () => getPort({ host })));
}

const usual = {
	n8n: { what: 'n8n', variable: 'SANDBOX_N8N_PORT', port: 5678 },
	service: { what: 'the service', variable: 'SANDBOX_SERVICE_PORT', port: 4010 },
	mailbox: { what: "the mailbox's page", variable: 'SANDBOX_MAILBOX_PORT', port: 4020 },
	smtp: { what: 'the mailbox (SMTP)', variable: 'SANDBOX_SMTP_PORT', port: 4025 },
};
type Name = keyof typeof usual;
const names = Object.keys(usual) as Name[];

/** The port from the environment, or the default one; throws a Failure if it is invalid. */
function portFor(name: Name): number {
	const { variable, port } = usual[name];
	const given = process.env[variable] || String(port);
	const chosen = Number(given);
	if (Number.isInteger(chosen) && chosen >= 1 && chosen <= 65_535) return chosen;
	throw new Failure(`${variable} is "${given}": set it to a port number, e.g. ${port}.`);
}

/** The sandbox's visible ports; `command` starts the sandbox, for example `npm start`. */
export async function choosePorts(command: string): Promise<Record<Name, number>> {
	const chosen = names.map((name) => [name, portFor(name)] as const);
	if (new Set(chosen.map(([, port]) => port)).size < chosen.length) {
		throw new Failure(
			'n8n, the service, the mailbox and its SMTP server each need their own port: two of the SANDBOX_..._PORT variables have the same value.',
		);
	}
	for (const [name, port] of chosen) {
		if ((await getPort({ port, host })) === port) continue;
		const { what, variable } = usual[name];
		throw new Failure(
			`Port ${port} for ${what} is busy: stop the program that uses it, or choose another port with ${variable}=${port + 1000} ${command}.`,
		);
	}
	return Object.fromEntries(chosen) as Record<Name, number>;
}
