import { flowOf } from '../../n8n/executionData';
import { type Absence, absenceAt } from '../../n8n/probeWebhook';
import type { Run } from '../../shared/operation';

/** Milliseconds for the whole check, and how many addresses are asked. */
const TIMEOUT = 1_000;
const MOST_ADDRESSES = 10;

type Answers = Map<string, Promise<Absence | undefined>>;

/** The answers of each execution: loops and retries do not ask again. */
const answersIn = new WeakMap<object, Answers>();

const REASONS: Record<Absence, string> = {
	notRegistered:
		'no published workflow has this Webhook URL. Publish the workflow of the trigger, or copy its Production URL again.',
	refused:
		'from this n8n, no connection can be made to its host and port. Check the Webhook URL with Notification > Send Test.',
};

/**
 * Hints, before anything is created, at triggers that are to start on status changes and certainly are
 * not there: people would answer, and nothing would ever start.
 */
export async function hintAtMissingTriggers(run: Run, urls: URL[]): Promise<void> {
	const flow = flowOf(run.context);
	const answers: Answers = answersIn.get(flow) ?? new Map();
	answersIn.set(flow, answers);
	const addresses = new Map(urls.map((url) => [url.href, url] as const));
	const ask = async ([href, url]: [string, URL]) => {
		const answer = answers.get(href) ?? absenceAt(run.context, url, TIMEOUT);
		answers.set(href, answer);
		const absence = await answer;
		if (absence === undefined) return;
		const where = `${url.origin}${url.pathname}`;
		run.hint(`Status changes will start nothing at ${where}: ${REASONS[absence]}`);
	};
	await Promise.all([...addresses].slice(0, MOST_ADDRESSES).map(ask));
}
