import { outputOf } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { fields, startsOf, withNode } from '../support/examples.mts';
import { KEYS } from '../support/service/api.mts';

/** What the service of the tests is known to do. */
const REPORT = `
| R1 | Success | create 201, read a collection request 200, read a share 200 |
| R2 | Refusal | no key 401, unknown ID 404, empty create body 400 |
| R3 | Shape of an error | { message: string } |
| R4 | Response to a create | _id |
| R5 | Required fields | the refusal of an empty body names templateId |
| R6 | Fields | collection request: as described; share: as described; participants: as described; answers: as described; notifications without an identifier: without webhookIdentifier |
| R7 | Values | accountType organisation, user; roles organiser, sharer; type of answers text; isQuotaLocked false; isPublicJoin false; deleteTime null; agreements []; webhookIdentifier undefined |
| R8 | Statuses | at first open; in notifications open, completed; in the end completed; of the share completed |
| R9 | Notifications | collection_request.updated (open), collection_request.updated (completed) |
| R10 | Signature | 2 of 2 as described |
| R11 | Timestamp | milliseconds; the header equals the payload |
| R12 | Repetition | the first one, refused with 500, did not come again within … |
| R13 | Invitation | No |
| R14 | Limits and versions | response headers: none |
| R15 | Joined | before you opened the guest link: no share; in the end: organisation (organiser), user (sharer) |
`;

test('check-your-service reports what the stand-in is known to do, and nothing secret or personal', async () => {
	const run = await startsOf('check-your-service')('all', (file) =>
		withNode(file, 'Wait for repetitions', { amount: 1, unit: 'seconds' }),
	);
	await run.waits();
	const asking = await rest.getExecution(run.executionId);
	const requestId = String(outputOf(asking, 'Get its guest link')[0]?.requestId);
	const you = { name: 'Your Name', email: 'you@example.com' };
	const said = 'What a participant has said';
	const { service } = run;
	service.join(requestId, you);
	service.submit(requestId, you, said);
	const deliveries = await service.delivered(requestId, 2);
	expect(deliveries.map(({ response }) => response.slice(0, 3))).toEqual(['500', '200']);
	// It asks whether the service has invited you.
	const token = String(asking.data.resumeToken);
	const url = `${n8nUrl}/form-waiting/${run.executionId}?signature=${token}`;
	await fetch(url, { method: 'POST', body: fields(['No']) });

	const execution = await run.ended();
	const report = String(outputOf(execution, 'Put it into one text')[0]?.report);
	const lines = report.match(/^\| R\d+ .*$/gm) ?? [];
	expect(lines.map((line) => line.replace(/within .* \|/, 'within … |'))).toEqual(
		REPORT.trim().split('\n'),
	);
	const { apiKey, tokenId } = KEYS;
	const secret = String(outputOf(execution, 'Make a webhook secret')[0]?.webhookSecret);
	const signatures = outputOf(execution, 'Sign them again').map(({ expected }) => String(expected));
	const hidden = [apiKey, tokenId, secret, said, you.name, you.email, ...signatures];
	expect(hidden.filter((text) => report.includes(text))).toEqual([]);
});
