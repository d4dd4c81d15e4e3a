import assert from 'node:assert/strict';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { startsOf, withNode, withText } from '../support/examples.mts';
import { delivered, fillInForm, forge, redeliver, stateOf } from '../support/sandboxService.mts';

const begin = startsOf('check-your-service');
const SAID = 'What a participant has said';
/** What the emulated service is known to do. */
const REPORT = `
| R1 | Success | create 201, read a collection request 200, read a share 200 |
| R2 | Refusal | no key 401, unknown ID 404, empty create body 400 |
| R3 | Shape of an error | { code: string, message: string } |
| R4 | Response to a create | _id |
| R5 | Required fields | the refusal of an empty body names templateId |
| R6 | Fields | collection request: as described; share: as described; participants: as described; answers: as described; notifications without an identifier: without webhookIdentifier |
| R7 | Values | accountType organisation, user; roles organiser, sharer; type of answers text; isQuotaLocked false; isPublicJoin false; deleteTime null; agreements []; webhookIdentifier undefined |
| R8 | Statuses | at first open; in notifications open, completed; in the end completed; of the share completed |
| R9 | Notifications | collection_request.updated (open), collection_request.updated (completed) |
| R10 | Signature | 2 of 2 as described |
| R11 | Timestamp | milliseconds; the header equals the payload |
| R12 | Repetition | the first one, refused with 500, did not come again within 4 minutes |
| R13 | Invitation | No |
| R14 | Limits and versions | response headers: none |
| R15 | Joined | before you opened the guest link: no share; in the end: organisation (organiser), user (sharer) |
`;
const you = { name: 'Your Name', email: 'you@example.com' };

const shortly = (file: WorkflowFile) =>
	withNode(file, 'Wait for repetitions', { amount: 1, unit: 'seconds' });
const start = (run: string, change = (file: WorkflowFile) => file) =>
	begin(run, (file) => change(shortly(file)));
type Run = Awaited<ReturnType<typeof start>>;

/** The ID of the created collection request, once the run asks its question. */
async function asks(run: Run): Promise<string> {
	await run.waits();
	const execution = await rest.getExecution(run.executionId);
	return String(outputOf(execution, 'Get its guest link')[0]?.requestId);
}

/** Replies to the question as the page does. */
async function answer({ executionId }: Run, text: string): Promise<void> {
	const { resumeToken } = (await rest.getExecution(executionId)).data;
	const url = `${n8nUrl}/form-waiting/${executionId}?signature=${String(resumeToken)}`;
	const page = await (await fetch(url)).text();
	expect(page).toContain('your guest link');
	const body = new FormData();
	body.append('field-0', text);
	expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
}

/** The report's lines, after checking that none contains secret or personal data. */
async function reportOf(run: Run): Promise<string[]> {
	const execution = await run.ended();
	const [{ report } = {}, ...more] = outputOf(execution, 'Put it into one text');
	expect(more.length).toBe(0);
	const { apiKey, tokenId } = serviceCredential;
	const [{ webhookSecret } = {}] = outputOf(execution, 'Make a webhook secret');
	const signatures = outputOf(execution, 'Sign them again').map(({ expected }) => expected);
	for (const hidden of [
		apiKey,
		tokenId,
		webhookSecret,
		...signatures,
		...Object.values(you),
		SAID,
	]) {
		assert.ok(!String(report).includes(String(hidden)), String(hidden));
	}
	const lines = String(report).match(/^\| R\d+ .*$/gm) ?? [];
	const found = outputOf(execution, 'Write the report');
	expect(lines).toStrictEqual(
		found.map(({ line, what, found }) => `| ${[line, what, found].join(' | ')} |`),
	);
	return lines;
}
const timeless = (line: string) => line.replace(/within .* \|/, 'within');

test('reports what the sandbox is known to do', async () => {
	const run = await start('all');
	const requestId = await asks(run);
	const { guestLink, webhook, request } = await stateOf(requestId);
	expect([request.participantList, webhook?.identifier]).toStrictEqual([
		[{ email: you.email }],
		null,
	]);
	await fillInForm(guestLink, you, SAID);
	const deliveries = await delivered(requestId, 2);
	expect(deliveries.map(({ statusCode }) => statusCode)).toStrictEqual([500, 200]);
	await answer(run, 'No');
	const lines = REPORT.trim().split('\n');
	expect((await reportOf(run)).map(timeless)).toStrictEqual(lines.map(timeless));
	// A valid one, and one with an empty body.
	expect(run.front.of('POST').map(({ body }) => Object.keys(body).length > 0)).toStrictEqual([
		true,
		false,
	]);
});

test('tells a repetition from the next notification, how exact it is, a forgery and junk', async () => {
	const run = await start('again');
	const requestId = await asks(run);
	await fillInForm((await stateOf(requestId)).guestLink, you, SAID);
	const [first] = await delivered(requestId, 2);
	for (const exact of [true, false]) await redeliver(first?.id ?? '', exact);
	await forge(requestId);
	const junk = new URLSearchParams({ requestId });
	await fetch(String((await stateOf(requestId)).webhook?.url), { method: 'POST', body: junk });
	await answer(run, 'Yes, by email');
	const report = (await reportOf(run)).join('\n');
	expect(report).toMatch(
		/500, came again within \d+ s: after \d+ s with same delivery ID and same timestamp; after \d+ s with new delivery ID and new timestamp/,
	);
	expect(report.match(/updated \(open\)/g)?.length).toBe(3);
	expect(report).toMatch(/Signature \| 4 of 6 as described/);
	expect(report).toMatch(/Invitation \| Yes, by email/);
});

test('a create that is refused is reported and not repeated, and nobody is asked', async () => {
	const run = await start('refused', (file) => withText(file, 'e2e-template', ' '));
	const report = (await reportOf(run)).join('\n');
	for (const found of [
		'create 400, read a collection request not called, read a share not called',
		'refused: { code: string, message: string }',
		'no notification came',
		'not asked',
	]) {
		expect(report).toContain(` | ${found} |`);
	}
	expect(run.front.seen.length).toBe(1);
});
