import type { Example } from './n8n/setup.mts';
import { formUrl } from './n8n/examples.mts';
import type { Sandbox } from './stack.mts';

/** What to try with each example, in the best order to try them. */
const hints: Record<string, string> = {
	'form-to-email':
		'Fill in its form. The workflow creates a collection request and emails the guest link to everybody.',
	'completed-to-rows':
		'When all participants have submitted, look at Executions: every answer is now a row.',
	'invite-remind-collect':
		'Execute it, then answer as each of the three people who get an email. Or do nothing for two minutes, and reminders are sent.',
	'many-at-once':
		'Execute it, then open the link in each of the five emails and answer. A final email sums up the answers.',
	'no-public-address':
		'Execute it, then open the link in both emails and answer. The workflow checks once a minute whether everybody has answered; the service sends no notifications.',
	'nothing-missed':
		'Execute it with the button, then open the link in both emails and answer. The office gets one email, whether a notification reports the completion or a check of all open requests finds it.',
	'csv-bulk':
		'Execute it. It creates one request per row of a list, emails everybody in the list, and sends one email about the row that is wrong on purpose.',
	'ai-agent':
		'Choose your own chat model, then ask the agent in the chat to create a request. You can try its tools without a model.',
	'check-your-service':
		'Execute it from the button and follow its form. It reports what the emulated service does, as it would for the real one.',
};
const otherHint = 'Open it: its notes explain what it does.';

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

/** What `npm start` prints once everything is running. */
export function introduction({ n8n, service, mailbox, workspace }: Sandbox): string {
	// Those without a hint come last.
	const place = ({ name }: Example) => [...Object.keys(hints), name].indexOf(name);
	const examples = workspace.examples.toSorted((one, other) => place(one) - place(other));
	return `
The sandbox is running.

  n8n editor        ${n8n.url}
  Log in with       ${n8n.owner.email}  /  ${n8n.owner.password}
  Service console   ${service.url}
  Mailbox           ${mailbox.url}    catches every email; SMTP on port ${mailbox.smtpPort}

What to try (everything is already set up):

${examples.map((example) => describe(n8n.url, example)).join('\n\n')}

Guest links ask for a name and an email address. Join and submit as each of the invited people; the service then reports the collection request as completed.

n8n's log: ${n8n.logFile}
Ctrl-C stops everything. Your workflows and credentials are kept for the next start; collection requests and emails are not.
`;
}
