import assert from 'node:assert/strict';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { concurrently } from '../support/concurrently.mts';
import { addressesOf, limitOf, requestIdOf, shortLimit } from '../support/exampleRuns.mts';
import { startExample, type ExampleRun } from '../support/exampleRuns.mts';
import { withNode } from '../support/examples.mts';
import { fillInForm, stateOf } from '../support/sandboxService.mts';

const people = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];
const office = 'office@example.com';

const looking = 'Look, and wait a little';
const collecting = 'Collect the answers';

describe('the example no-public-address', () => {
	const test = concurrently();
	const runs: ExampleRun[] = [];
	afterAll(async () => {
		for (const run of runs) await run.close();
	});
	const start = async (name: string, change?: (file: WorkflowFile) => WorkflowFile) => {
		const run = await startExample('no-public-address', `address-${name}`, change);
		runs.push(run);
		return run;
	};
	const withShortLimit = (file: WorkflowFile) => withNode(file, looking, shortLimit);

	test('the file looks every minute', async () => {
		const run = await start('file');
		await run.waits();
		const left = await limitOf(run);
		assert.ok(left > 20_000 && left <= 60_000, `${left} ms`);
		await run.bench.rest.send('POST', `/rest/executions/${run.executionId}/stop`);
	});

	test('the service is given no address, and the answers are collected all the same', async () => {
		const run = await start('collect', withShortLimit);
		await run.waits();
		const guestLink = await run.linkOf('ada@example.com');
		for (const person of people) {
			assert.equal(await run.linkOf(person.email), guestLink);
			await fillInForm(guestLink, person, `Address of ${person.name}`);
		}
		const execution = await run.ended();
		const { webhook, deliveries } = await stateOf(requestIdOf(guestLink));
		assert.equal(webhook?.url ?? null, null);
		assert.deepEqual(deliveries, []);
		const [created] = run.front.of('POST');
		assert.deepEqual(
			Object.keys(created?.body ?? {}).filter((name) => name.startsWith('webhook')),
			[],
		);
		const rounds = execution.data.resultData.runData[looking] ?? [];
		assert.ok(rounds.length >= 2, 'a look that found nothing, and one that did');
		assert.deepEqual(
			addressesOf(execution, collecting),
			people.map(({ name }) => `Address of ${name}`),
		);
		assert.equal((await run.bench.mails()).length, 2);
	});

	test('after the deadline the office is told, and it looks no longer', async () => {
		const deadline = { id: 'past', name: 'deadline', type: 'string', value: '={{ $now.toISO() }}' };
		const assignments = { assignments: [deadline] };
		const run = await start('deadline', (file) =>
			withNode(withShortLimit(file), 'Say until when', { assignments }),
		);
		const execution = await run.ended();
		assert.equal(outputOf(execution, looking)[0]?.timedOut, true);
		assert.equal(execution.data.resultData.runData[looking]?.length, 1);
		const [mail] = await run.bench.mailsTo(office);
		assert.ok(mail);
		assert.equal(mail.subject, 'The form about the team day is not complete');
		assert.deepEqual(mail.links, [await run.linkOf('ada@example.com')]);
		assert.equal(execution.data.resultData.runData[collecting], undefined);
	});
});
