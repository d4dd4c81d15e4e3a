import assert from 'node:assert/strict';
import { outputOf, type Json, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { startsOf, withNode, withText } from '../support/examples.mts';
import { fillInForm, forge, redeliver, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

const rest = openRest();
const begin = startsOf('before-you-rely-on-it');
const you = { name: 'Your Name', email: 'you@example.com' };

const shortly = (file: WorkflowFile) =>
	withNode(file, 'Wait for repetitions', { amount: 1, unit: 'seconds' });
const start = (run: string, change = (file: WorkflowFile) => file) =>
	begin(run, (file) => change(shortly(file)));
type Run = Awaited<ReturnType<typeof start>>;

/** The ID of what it has created, once it asks its question. */
async function asks(run: Run): Promise<string> {
	await run.waits();
	const execution = await rest.getExecution(run.executionId);
	return String(outputOf(execution, 'Get its guest link')[0]?.requestId);
}

/** Answers the question as the page does. */
async function answer({ executionId }: Run, text: string): Promise<void> {
	const { resumeToken } = (await rest.getExecution(executionId)).data;
	const url = `${n8nUrl}/form-waiting/${executionId}?signature=${String(resumeToken)}`;
	const page = await (await fetch(url)).text();
	assert.ok(page.includes('your guest link'), page);
	const body = new FormData();
	body.append('field-0', text);
	assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
}

/** The deliveries of the service, oldest first, once the last status has been answered. */
const delivered = (requestId: string) =>
	until('both notifications are answered', async () => {
		const { deliveries } = await stateOf(requestId);
		const isDone = deliveries.length > 1 && deliveries.every(({ statusCode }) => statusCode);
		return isDone ? deliveries.reverse() : undefined;
	});

async function reportOf(run: Run): Promise<Json> {
	const [item, ...more] = outputOf(await run.ended(), 'Write the report');
	assert.ok(item);
	assert.equal(more.length, 0);
	const { report, ...lines } = item;
	assert.deepEqual(
		String(report).match(/^\| R\d+/gm),
		Object.keys(lines).map((line) => `| ${line}`),
	);
	for (const line of Object.values(lines)) assert.ok(String(report).includes(String(line)));
	return lines;
}

describe('the example before-you-rely-on-it', () => {
	test('reports what the sandbox is known to do', async () => {
		const run = await start('all');
		const requestId = await asks(run);
		const { guestLink, webhook, request } = await stateOf(requestId);
		assert.deepEqual(
			[request.participantList, webhook?.identifier],
			[[{ email: you.email }], null],
		);
		await fillInForm(guestLink, you, 'An answer that is nobody else’s business');
		const deliveries = await delivered(requestId);
		assert.deepEqual(
			deliveries.map(({ statusCode }) => statusCode),
			[500, 200],
		);
		await answer(run, 'No');
		const { R12, ...lines } = await reportOf(run);
		assert.deepEqual(lines, {
			R1: 'create 201, read a collection request 200, read a share 200',
			R2: 'no key 401, unknown ID 404, empty create body 400',
			R3: '{ code: string, message: string }',
			R4: '_id, account_id, title, participantList, minimumParticipants, maximumParticipants, shareStatus, createTime, template',
			R5: 'the refusal of an empty body names templateId',
			R6: 'collection request: as described; share: as described; participants: as described; answers: as described; notifications without an identifier: without webhookIdentifier',
			R7: 'accountType organisation, user; roles organiser, sharer; type of answers text; isQuotaLocked false; isPublicJoin false; deleteTime null; agreements []',
			R8: 'at first open; in notifications open, completed; in the end completed; of the share completed',
			R9: 'collection_request.updated (open), collection_request.updated (completed)',
			R10: '2 of 2 as described',
			R11: 'milliseconds; the header equals the payload',
			R13: 'No',
			R14: 'response headers: none',
		});
		assert.match(String(R12), /^the first one, refused with 500, did not come again within \d+ s$/);
		// One that counts, and one with an empty body.
		assert.deepEqual(
			run.front.of('POST').map(({ body }) => Object.keys(body).length > 0),
			[true, false],
		);
	});

	test('tells a repetition from the next notification, how exact it is, and a forgery', async () => {
		const run = await start('again');
		const requestId = await asks(run);
		await fillInForm((await stateOf(requestId)).guestLink, you, 'An answer');
		const [first] = await delivered(requestId);
		for (const exact of [true, false]) await redeliver(first?.id ?? '', exact);
		await forge(requestId);
		await answer(run, 'Yes, by email');
		const { R9, R10, R12, R13 } = await reportOf(run);
		const again =
			/500, came again within \d+ s: after \d+ s with same delivery ID and same timestamp; after \d+ s with new delivery ID and new timestamp$/;
		assert.match(String(R12), again);
		assert.equal(String(R9).match(/\(open\)/g)?.length, 3);
		assert.equal(R10, '4 of 5 as described');
		assert.equal(R13, 'Yes, by email');
	});

	test('a create that is refused is reported and not repeated, and nobody is asked', async () => {
		const run = await start('refused', (file) => withText(file, 'e2e-template', ' '));
		const { R1, R4, R12, R13 } = await reportOf(run);
		assert.equal(R1, 'create 400, read a collection request not called, read a share not called');
		assert.equal(R4, 'refused: { code: string, message: string }');
		assert.deepEqual([R12, R13], ['no notification came', 'not asked']);
		assert.equal(run.front.seen.length, 1);
	});
});
