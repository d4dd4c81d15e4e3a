import { Failure } from './failure.mts';
import { freePorts, isPortFree } from './ports.mts';

const defaultBrokerPort = 5679;

interface Choice {
	what: string;
	variable: string;
	byDefault: number;
	/** What the person has typed to get here, for example `npm start`. */
	command: string;
}

/** The port from the environment or the default; a Failure when it is invalid or busy. */
async function choosePort({ what, variable, byDefault, command }: Choice): Promise<number> {
	const given = process.env[variable] ?? '';
	const port = given === '' ? byDefault : Number(given);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Failure(`${variable} is "${given}": set it to a port number, e.g. ${byDefault}.`);
	}
	if (await isPortFree(port)) return port;
	throw new Failure(
		`Port ${port} for ${what} is busy: stop what uses it, or choose another one with ${variable}=${port + 1000} ${command}.`,
	);
}

/** The ports that people see in the sandbox. */
export async function choosePorts(command: string) {
	const choose = (what: string, variable: string, byDefault: number) =>
		choosePort({ what, variable, byDefault, command });
	const chosen = {
		n8n: await choose('n8n', 'SANDBOX_N8N_PORT', 5678),
		service: await choose('the service', 'SANDBOX_SERVICE_PORT', 4010),
		mailbox: await choose("the mailbox's page", 'SANDBOX_MAILBOX_PORT', 4020),
		smtp: await choose('the mailbox (SMTP)', 'SANDBOX_SMTP_PORT', 4025),
	};
	if (new Set(Object.values(chosen)).size === Object.keys(chosen).length) return chosen;
	throw new Failure(
		'n8n, the service, the mailbox and its SMTP each need a port of their own: two of the SANDBOX_..._PORT variables name the same.',
	);
}

/** n8n's usual port for its task broker, or a free one when that is taken. */
export async function chooseBrokerPort(taken: number[]): Promise<number> {
	const isFree = !taken.includes(defaultBrokerPort) && (await isPortFree(defaultBrokerPort));
	const [other = defaultBrokerPort] = await freePorts(1);
	return isFree ? defaultBrokerPort : other;
}
