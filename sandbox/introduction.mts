import type { Example } from './n8n/setup.mts';
import { formUrl } from './n8n/examples.mts';
import type { Stack } from './stack.mts';

/** What to try with an example, in the order in which they are best tried. */
const hints: Record<string, string> = {
	'form-to-email':
		'Fill in its form: a collection request is created, and everybody gets an email with the guest link.',
	'completed-to-rows':
		'Look at Executions once all guests have submitted: every answer has become a row.',
	'invite-remind-collect':
		'Execute it and answer as both people who get an email. Or do nothing for two or three minutes, and there is a reminder.',
	'many-at-once': 'Execute it and answer all five emails: one more comes that sums up the answers.',
	'no-public-address':
		'Execute it and answer both emails: it looks once a minute whether all have, and the service reports nothing.',
	'nothing-missed':
		'Execute it from the button and answer both emails: the office gets one email, whether the service reports it or a look at all open requests finds it.',
	'csv-bulk':
		'Execute it: one request per row of a list, an email to everybody in it, and one about the row that is wrong on purpose.',
	'ai-agent':
		'Choose a chat model of your own, then ask the agent in the chat to create a request. Its tools can be tried without one.',
	'before-you-rely-on-it':
		'Execute it from the button and do what its form says: it reports what the service does, as it would report it of the real one.',
};
const otherHint = 'Open it: its notes say what it does.';

function place({ name }: Example): number {
	const index = Object.keys(hints).indexOf(name);
	return index === -1 ? Number.MAX_SAFE_INTEGER : index;
}

function describe(n8nUrl: string, { name, workflow }: Example): string {
	const form = formUrl(n8nUrl, workflow);
	const lines = [
		workflow.name.replace(/^Data Collection: /, ''),
		`${n8nUrl}/workflow/${workflow.id}`,
		...(form === undefined ? [] : [`Form: ${form}`]),
		hints[name] ?? otherHint,
	];
	return lines.map((line, index) => `  ${index === 0 ? '* ' : '  '}${line}`).join('\n');
}

/** What is up: in queue mode n8n is several processes, with one address for people. */
export type Introduced = Pick<Stack, 'owner' | 'workspace'> & {
	n8n: Pick<Stack['n8n'], 'url' | 'logFile'>;
	service: Pick<Stack['service'], 'url'>;
	mailbox: Pick<Stack['mailbox'], 'url' | 'smtpPort'>;
};

/** What `npm start` says once everything is up. */
export function introduction({ n8n, service, mailbox, owner, workspace }: Introduced): string {
	const examples = workspace.examples.toSorted((one, other) => place(one) - place(other));
	return `
The sandbox is running.

  n8n editor        ${n8n.url}
  Log in with       ${owner.email}  /  ${owner.password}
  Service console   ${service.url}
  API docs          ${service.url}/docs
  Mailbox           ${mailbox.url}    every email ends here; SMTP on port ${mailbox.smtpPort}

What to try (everything is filled in):

${examples.map((example) => describe(n8n.url, example)).join('\n\n')}

Guest links ask for a name and an email: join as each of the invited people and submit, and the service reports the request as completed.

n8n's log: ${n8n.logFile}
Ctrl-C stops everything; your workflows and credentials stay for the next start, collection requests and emails are forgotten.
`;
}
