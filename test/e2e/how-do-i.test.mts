import { outputOf, type WorkflowFile, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { linesOf, openBench, withNode } from '../support/examples.mts';
import { startByWebhook, succeeded, waits, waitTracker } from '../support/executions.mts';
import { ada, ben, twoPeople } from '../support/people.mts';
import { graph, node, splitNode, webhookNode } from '../support/workflows.mts';

// Flows that docs/how-do-i.md describes in words, made of the nodes of the examples.

const fromItems = { participantsMode: 'items' };

/** Only these nodes of an example, and these new ones, connected in this way. */
function rewired(file: WorkflowFile, added: WorkflowNode[], paths: string[]): WorkflowFile {
	const kept = file.nodes.filter(({ name }) => paths.some((path) => path.includes(name)));
	return graph(file.name, [splitNode('body.people'), ...added, ...kept], paths);
}

test('each respondent gets a confirmation with their own answers', async () => {
	const bench = await openBench('confirmations');
	const begin = webhookNode();
	const workflow = await bench.load('nothing-missed', (file) => {
		const created = withNode(file, 'Create the collection request', fromItems);
		const requestId = '={{ $json.requestId }}';
		const operation = { operation: 'getAnswers', output: 'columns', requestId };
		const read = withNode(created, 'Read the answers', operation);
		const email = { toEmail: '={{ $json.email }}', text: "={{ $json['Delivery address'] }}" };
		const changed = withNode(read, 'Email the answers', { ...email, subject: 'Thank you' });
		return rewired(
			changed,
			[begin],
			[
				'Webhook -> Items -> Create the collection request -> Email the guest link',
				'When a request is completed -> Read the answers -> Email the answers',
			],
		);
	});
	await startByWebhook(workflow.id, begin, { people: twoPeople });
	const thanks = () => bench.mails().filter(({ subject }) => subject === 'Thank you');
	for (const one of [ben, ada]) {
		bench.service.submit(await bench.linkTo(one.email), one, `Address of ${one.name}`);
		await until(`a confirmation to ${one.name}`, () => thanks().at(-1)?.to[0] === one.email);
	}
	expect(thanks().map((mail) => [mail.to, linesOf(mail)])).toEqual(
		[ben, ada].map(({ name, email }) => [[email], [`Address of ${name}`]]),
	);
});

test('one after the other: nobody is asked before the one before them has answered', async () => {
	const bench = await openBench('one-by-one');
	const begin = webhookNode();
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const workflow = await bench.load('list-to-table', (file) =>
		rewired(
			file,
			[begin, loop],
			[
				'Webhook -> Items -> Loop -> Get their answers',
				'Loop/1 -> Create a request for each -> Email the guest link -> Wait for all -> Loop',
			],
		),
	);
	const executionId = await startByWebhook(workflow.id, begin, { people: twoPeople });
	await waits(executionId);
	expect(bench.mails().map(({ to }) => to)).toEqual([[ada.email]]);
	bench.service.submit(await bench.linkTo(ada.email), ada, 'First');
	const link = await bench.linkTo(ben.email);
	await waits(executionId);
	bench.service.submit(link, ben, 'Second');
	const answers = outputOf(await succeeded(executionId, waitTracker), 'Get their answers');
	expect(answers).toMatchObject([
		{ ...ada, 'Delivery address': 'First' },
		{ ...ben, 'Delivery address': 'Second' },
	]);
});
