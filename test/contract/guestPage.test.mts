import { anyText, asForm, expectPage, listOf, useService, type Json } from './client.mts';

const service = useService();

const page = async (id: string) => await service.ask(`/request/${id}`);
const join = (id: string, email: string, name = 'Ann') =>
	service.ask(`/request/${id}/join`, asForm({ name, email }));
const answer = (location: string, address = 'Main Street 1') =>
	service.ask(location, asForm({ 'answers[Delivery address]': address }));
const statusAfter = async (id: string, email: string) =>
	(await service.submit(id, email)).json.shareStatus;

async function readShare(id: string): Promise<Json> {
	const { shareId } = await service.readRequest(id);
	return (await service.read(`share/${String(shareId)}`)).json;
}

const emailsOf = (share: Json) =>
	listOf(share.participants).map(({ accountSnapshot }) => listOf([accountSnapshot])[0]?.email);

describe('with a form, in two steps', () => {
	test('joining creates the share, submitting fills and completes it', async () => {
		const id = await service.newRequest();
		expectPage(await page(id), 200, 'Step 1 of 2');
		const { status, location } = await join(id, 'ann@example.com');
		expect(status).toBe(303);
		expect(location).toMatch(RegExp(`^/request/${id}/answers/[0-9a-f]{48}$`));
		const joined = { collectionRequestId: id, status: 'open', otherFields: [] };
		expect(await readShare(id)).toMatchObject(joined);

		expectPage(await service.ask(location), 200, 'Step 2 of 2');
		expect((await answer(location)).status).toBe(303);
		expectPage(await service.ask(location), 200, 'Thank you, Ann');
		const share = await readShare(id);
		expect(share).toMatchObject({ status: 'completed', __v: 3 });
		const question = { label: 'Delivery address', type: 'text', isMandatory: true };
		expect(share.otherFields).toContainEqual({ ...question, value: 'Main Street 1' });
	});

	test('completes when all invited have submitted, whatever the case of their address', async () => {
		const invited = { email: 'Ann@Example.com', isAdmin: true, phoneNumber: '+49 30 1' };
		const participantList = [invited, { email: 'ben@example.com' }];
		const id = await service.newRequest({ participantList });
		await answer((await join(id, 'aNN@example.COM')).location);
		expect((await service.readRequest(id)).shareStatus).toBe('open');
		await answer((await join(id, 'ben@example.com', 'Ben')).location, 'Side Street 2');

		const share = await readShare(id);
		expect(share.status).toBe('completed');
		const user = (phoneNumber: unknown, ...roles: string[]) => {
			return { accountType: 'user', roles, accountSnapshot: { phoneNumber } };
		};
		expect(share.participants).toMatchObject([
			{ accountType: 'organisation', roles: ['organiser'], parentAccount_id: anyText },
			user('+49 30 1', 'sharer', 'admin'),
			user(null, 'sharer'),
		]);
		const labels = listOf(share.otherFields).map(({ label }) => label);
		expect(labels.filter((label) => label === 'Delivery address')).toHaveLength(2);
	});

	test.each<[when: string, create: Json]>([
		['even when all invited have submitted', { participantList: [{ email: 'ann@example.com' }] }],
		['when nobody was invited', {}],
	])('completes at the minimum, %s', async (_when, create) => {
		const id = await service.newRequest({ ...create, minimumParticipants: 2 });
		expect(await statusAfter(id, 'ann@example.com')).toBe('open');
		expect(await statusAfter(id, 'eve@example.com')).toBe('completed');
	});

	test('keeps the places of the invited, and turns others away when it is full', async () => {
		const participantList = [{ email: 'ann@example.com' }];
		const id = await service.newRequest({ participantList, maximumParticipants: 2 });
		expect((await join(id, 'eve@example.com')).status).toBe(303);
		const reserved = 'The remaining places are reserved';
		expectPage(await join(id, 'zoe@example.com'), 409, reserved, `href="/request/${id}"`);
		const late = await service.submit(id, 'zoe@example.com');
		expectPage(late, 409, '"code":"full"', `${reserved}. `);
		expect((await join(id, 'ann@example.com')).status).toBe(303);
		expectPage(await join(id, 'zoe@example.com'), 409, 'All places are taken');
		const emails = emailsOf(await readShare(id));
		expect(emails).toEqual([null, 'eve@example.com', 'ann@example.com']);
	});

	test('the same address continues where it was, and is one participant', async () => {
		const id = await service.newRequest({ minimumParticipants: 2 });
		const { location } = await join(id, 'ann@example.com');
		expect((await join(id, 'ANN@example.com', 'Somebody else')).location).toBe(location);
		await answer(location);
		await answer(location, 'A second answer');
		const share = await readShare(id);
		expect(emailsOf(share)).toEqual([null, 'ann@example.com']);
		expect(JSON.stringify(share)).not.toContain('A second answer');
	});

	test('a completed request takes nobody and nothing more', async () => {
		const id = await service.newRequest();
		const { location } = await join(id, 'ann@example.com');
		await service.submit(id, 'ben@example.com');
		const complete = 'This request is already complete';
		expectPage(await page(id), 200, complete);
		expectPage(await join(id, 'late@example.com'), 409, complete);
		expectPage(await answer(location), 409, complete);
		expect(emailsOf(await readShare(id))).not.toContain('late@example.com');
	});
});

describe('mistakes', () => {
	test('are told next to their fields, and what was entered stays', async () => {
		const id = await service.newRequest();
		const refused = await join(id, 'nobody');
		expectPage(refused, 400, 'role="alert"', 'id="email-error"', 'value="Ann"');
		const field = /id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-error"/;
		expect(refused.text).toMatch(field);
		expect(await service.readRequest(id)).not.toHaveProperty('shareId');
		const { location } = await join(id, 'ann@example.com');
		expectPage(await answer(location, '  '), 400, 'Enter an answer: Delivery address.');
		expect((await readShare(id)).status).toBe('open');
	});

	test('an unknown link, or one of another request, is a friendly page', async () => {
		const [one, other] = [await service.newRequest(), await service.newRequest()];
		const { location } = await join(one, 'ann@example.com');
		const paths = ['/request/unknown', '/request/unknown/answers/nobody'];
		for (const path of [...paths, location.replace(one, other)]) {
			expectPage(await service.ask(path), 404, 'We cannot find this request');
		}
	});
});

test('hostile names and answers are text on pages that load nothing and cannot be framed', async () => {
	const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
	const id = await service.newRequest({ templateId: hostile, webhookIdentifier: hostile });
	const { location } = await join(id, 'ann@example.com', hostile);
	const failed = [await join(id, hostile, hostile), await answer(location, '')];
	const questions = await service.ask(location);
	await answer(location, `<b>${hostile}</b>`);
	const shown = await service.ask('/');
	for (const { text, headers } of [...failed, questions, shown]) {
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain(hostile);
		expect(text).not.toMatch(/<img|<script>/);
		expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/);
		expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors/);
	}
	expect(questions.text).not.toContain('<script');
	expect(shown.text).toMatch(/&lt;b&gt;.*&lt;\/b&gt;/);
});

describe('what guests read on top', () => {
	const titleOf = ({ text }: { text: string }) => /<title>(.*)<\/title>/.exec(text)?.[1];
	const headingOf = ({ text }: { text: string }) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
	const templateId = 'a-form-of-the-template';

	test('is the topic, on every page, and never the name of the template', async () => {
		const topic = { webhookIdentifier: ' New office ', maximumParticipants: 1 };
		const id = await service.newRequest({ templateId, ...topic });
		const pages = [await page(id)];
		const { location } = await join(id, 'ann@example.com');
		pages.push(await service.ask(location), await answer(location, ' '));
		pages.push(await join(id, 'ben@example.com'));
		await answer(location);
		pages.push(await service.ask(location), await page(id));
		expect(pages.slice(0, 2).map(headingOf)).toEqual(['New office', 'New office']);
		expect(pages.map(titleOf)).toEqual([
			...['New office', 'New office', 'Error: New office', 'All places are taken – New office'],
			...['Thank you, Ann – New office', 'This request is already complete – New office'],
		]);
		for (const { text } of pages) expect(text).not.toContain(templateId);
	});

	test.each([
		...[undefined, '', '  '].map((topic) => [topic, 'We have some questions for you']),
		['x'.repeat(5000), `${'x'.repeat(200)}…`],
	])('is a sentence without a topic, and a long one is cut: %#', async (topic, heading) => {
		const shown = await page(await service.newRequest({ templateId, webhookIdentifier: topic }));
		expect(headingOf(shown)).toBe(heading);
		expect(shown.text).not.toContain(templateId);
	});
});

test('in one step nothing changes unless everything is accepted', async () => {
	const answers = { 'Delivery address': 'Main Street 1' };
	const id = await service.newRequest();
	for (const body of [
		{ email: 'ann@example.com', answers },
		{ name: 'Ann', email: 'ann', answers },
		{ name: 'Ann', email: 'ann@example.com', answers: {} },
		{ name: 'Ann', email: 'ann@example.com', answers: { ...answers, Unknown: 'x' } },
	]) {
		const { status, json } = await service.post(`/request/${id}`, body);
		expect([status, json.code]).toEqual([400, 'invalid_body']);
	}
	expect(await service.readRequest(id)).not.toHaveProperty('shareId');
	expect((await service.post('/request/unknown', { name: 'Ann' })).status).toBe(404);
});
