import type { Example } from './n8n/setup.mts';
import { formUrl } from './n8n/examples.mts';
import type { Sandbox } from './stack.mts';

function describe(n8nUrl: string, { workflow }: Example): string {
	const form = formUrl(n8nUrl, workflow);
	const lines = [
		`  * ${workflow.name.replace(/^Data Collection: /, '')}`,
		`    ${n8nUrl}/workflow/${workflow.id}`,
		...(form === undefined ? [] : [`    Form: ${form}`]),
	];
	return lines.join('\n');
}

/** The examples of the tour in docs/sandbox.md, which come first. */
const tour = ['form-to-email', 'completed-to-rows'];

/** What `npm start` prints once everything is running. */
export function introduction({ n8n, service, mailbox, workspace }: Sandbox): string {
	const isLater = ({ name }: Example) => Number(!tour.includes(name));
	const examples = workspace.examples.toSorted(
		(one, other) =>
			isLater(one) - isLater(other) || tour.indexOf(one.name) - tour.indexOf(other.name),
	);
	return `
The sandbox is running.

  n8n editor        ${n8n.url}
  Log in with       ${n8n.owner.email}  /  ${n8n.owner.password}
  Service console   ${service.url}
  Mailbox           ${mailbox.url}    catches every email; SMTP on port ${mailbox.smtpPort}

Begin with the form of the first example. Everything is already set up; the notes of each say what it does:

${examples.map((example) => describe(n8n.url, example)).join('\n\n')}

Guest links ask for a name and an email address. Join and submit as each of the invited people; the service then reports the collection request as completed.

n8n's log: ${n8n.logFile}
Ctrl-C stops everything. Your workflows and credentials are kept for the next start; collection requests and emails are not.
`;
}
