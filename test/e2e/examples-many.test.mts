import assert from 'node:assert/strict';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { concurrently } from '../support/concurrently.mts';
import { limitOf, requestIdOf, shortLimit, startExample } from '../support/exampleRuns.mts';
import { statusOf, type ExampleRun } from '../support/exampleRuns.mts';
import { linesOf, withNode } from '../support/examples.mts';
import { fillInForm } from '../support/sandboxService.mts';

const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'].map((name) => ({
	name: `${name} Example`,
	email: `${name.toLowerCase()}@example.com`,
}));
const office = 'office@example.com';
const waiting = 'Wait for all';
const day = 24 * 60 * 60 * 1000;

describe('the example many-at-once', () => {
	const test = concurrently();
	const runs: ExampleRun[] = [];
	afterAll(async () => {
		for (const run of runs) await run.close();
	});
	const start = async (name: string, change?: (file: WorkflowFile) => WorkflowFile) => {
		const run = await startExample('many-at-once', `many-${name}`, change);
		runs.push(run);
		await run.waits();
		return run;
	};

	test('five people get links of their own; when the last has answered, one summary leaves', async () => {
		const run = await start('all');
		const left = await limitOf(run);
		assert.ok(left > 2.9 * day && left <= 3 * day, `${left} ms`);
		const links = await Promise.all(people.map(({ email }) => run.linkOf(email)));
		assert.equal(new Set(links).size, people.length);
		// The last one first: the order of the answers does not matter.
		for (const index of [4, 2, 0, 1, 3]) {
			assert.equal(await statusOf(run.bench.rest, run.executionId), 'waiting');
			await fillInForm(links[index] ?? '', people[index], `Offer ${index + 1}`);
		}
		const execution = await run.ended();
		const items = outputOf(execution, waiting);
		assert.deepEqual(
			items.map(({ requestId }) => requestId),
			links.map(requestIdOf),
		);
		for (const { timedOut } of items) assert.equal(timedOut, false);
		const [mail, ...more] = await run.bench.mailsTo(office);
		assert.ok(mail);
		assert.equal(more.length, 0);
		assert.equal(mail.subject, '5 of 5 offers are here');
		assert.deepEqual(
			linesOf(mail).filter((line) => /^\w+@example.com: |^Delivery/.test(line)),
			people.flatMap(({ email }, index) => [
				`${email}: completed`,
				`Delivery address: Offer ${index + 1}`,
			]),
		);
		assert.equal((await run.bench.mails()).length, people.length + 1);
	});

	test('the time runs out: the summary says whose offer is missing', async () => {
		const run = await start('some', (file) => withNode(file, waiting, shortLimit));
		const [ada, ben] = people;
		for (const person of [ada, ben]) {
			await fillInForm(await run.linkOf(person?.email ?? ''), person, 'An offer');
		}
		const execution = await run.ended();
		for (const { timedOut } of outputOf(execution, waiting)) assert.equal(timedOut, true);
		const [mail] = await run.bench.mailsTo(office);
		assert.ok(mail);
		assert.equal(mail.subject, '2 of 5 offers are here');
		assert.deepEqual(
			linesOf(mail).filter((line) => /^\w+@example.com: /.test(line)),
			people.map(({ email }, index) => `${email}: ${index < 2 ? 'completed' : 'open'}`),
		);
	});
});
