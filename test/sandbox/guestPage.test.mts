import { anyText, asForm, expectPage, listOf, useService, type Json } from './client.mts';

const service = useService();

const page = async (id: string) => await service.ask(`/request/${id}`);
const answer = async (id: string, email: string, changes: Record<string, string> = {}) => {
	const fields = { name: 'Ann', email, 'answers[Delivery address]': 'Main Street 1', ...changes };
	return await service.ask(`/request/${id}`, asForm(fields));
};

async function readShare(id: string): Promise<Json> {
	const { shareId } = await service.readRequest(id);
	return (await service.read(`share/${String(shareId)}`)).json;
}

const emailsOf = (share: Json) =>
	listOf(share.participants).map(({ accountSnapshot }) => listOf([accountSnapshot])[0]?.email);

test('a share exists once somebody joins, and has their answers', async () => {
	const id = await service.newRequest({ webhookIdentifier: 'New office' });
	expectPage(await page(id), 200, '<h1>New office</h1>');
	expect(await service.readRequest(id)).not.toHaveProperty('shareId');
	await service.post(`/sandbox/requests/${id}/join`, { name: 'Ann', email: 'ann@example.com' });
	expect(await readShare(id)).toMatchObject({ status: 'open', otherFields: [] });
	expectPage(await answer(id, 'ann@example.com'), 200, 'Thank you, Ann');
	const share = await readShare(id);
	expect(share).toMatchObject({ status: 'completed', collectionRequestId: id });
	const question = { label: 'Delivery address', type: 'text', isMandatory: true };
	expect(share.otherFields).toContainEqual({ ...question, value: 'Main Street 1' });
});

test('it is completed when all invited have submitted, whatever the case of their address', async () => {
	const invited = { email: 'Ann@Example.com', isAdmin: true, phoneNumber: '+49 30 1' };
	const participantList = [invited, { email: 'ben@example.com' }];
	const id = await service.newRequest({ participantList });
	await answer(id, 'aNN@example.COM');
	expect((await service.readRequest(id)).shareStatus).toBe('open');
	await answer(id, 'ben@example.com');
	const user = (phoneNumber: unknown, ...roles: string[]) => {
		return { accountType: 'user', roles, accountSnapshot: { phoneNumber } };
	};
	expect(await readShare(id)).toMatchObject({
		status: 'completed',
		participants: [
			{ accountType: 'organisation', roles: ['organiser'], parentAccount_id: anyText },
			user('+49 30 1', 'sharer', 'admin'),
			user(null, 'sharer'),
		],
	});
});

test.each<[when: string, create: Json]>([
	['even when all invited have submitted', { participantList: [{ email: 'ann@example.com' }] }],
	['when nobody was invited', {}],
])('it is completed at the minimum, %s', async (_when, create) => {
	const id = await service.newRequest({ ...create, minimumParticipants: 2 });
	for (const [email, shareStatus] of [
		['ann@example.com', 'open'],
		['eve@example.com', 'completed'],
	] as const) {
		await service.submit(id, email);
		expect((await service.readRequest(id)).shareStatus).toBe(shareStatus);
	}
});

test('an address is one participant, and its first answers count', async () => {
	const id = await service.newRequest({ minimumParticipants: 2 });
	await answer(id, 'ann@example.com');
	await answer(id, 'ANN@example.com', { 'answers[Delivery address]': 'A second answer' });
	const share = await readShare(id);
	expect(emailsOf(share)).toEqual([null, 'ann@example.com']);
	expect(JSON.stringify(share)).not.toContain('A second answer');
});

test('nobody joins beyond the maximum or after completion, or through an unknown link', async () => {
	const full = await service.newRequest({ minimumParticipants: 2, maximumParticipants: 2 });
	for (const email of ['ann@example.com', 'ben@example.com']) {
		await service.post(`/sandbox/requests/${full}/join`, { name: 'Ann', email });
	}
	expectPage(await answer(full, 'eve@example.com'), 409, 'All places are taken');
	const over = await service.newRequest();
	await answer(over, 'ann@example.com');
	const complete = 'This request is already complete';
	expectPage(await page(over), 200, complete);
	expectPage(await answer(over, 'late@example.com'), 409, complete);
	expect(emailsOf(await readShare(over))).not.toContain('late@example.com');
	expectPage(await page('unknown'), 404, 'We cannot find this request');
});

test('mistakes are told next to their fields, what was entered stays, and nothing changes', async () => {
	const id = await service.newRequest();
	const refused = await answer(id, 'nobody', { 'answers[Delivery address]': ' ' });
	expectPage(refused, 400, 'role="alert"', 'id="email-error"', 'value="Ann"');
	expectPage(refused, 400, 'Enter an answer: Delivery address.');
	expect(refused.text).toMatch(
		/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-error"/,
	);
	expect(await service.readRequest(id)).not.toHaveProperty('shareId');
});

test('hostile names and answers are text on pages that load nothing and cannot be framed', async () => {
	const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
	const id = await service.newRequest({ templateId: hostile, webhookIdentifier: hostile });
	const failed = await answer(id, hostile, { name: hostile });
	const changes = { name: hostile, 'answers[Delivery address]': `<b>${hostile}</b>` };
	const thanks = await answer(id, 'ann@example.com', changes);
	for (const { text, headers } of [failed, thanks, await service.ask('/')]) {
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain(hostile);
		expect(text).not.toMatch(/<img|<script>/);
		expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/);
		expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors/);
	}
});

test('guests read the topic, or a sentence, and never the name of the template', async () => {
	for (const [webhookIdentifier, heading] of [
		[' New office ', 'New office'],
		[undefined, 'We have some questions for you'],
		['x'.repeat(5000), `${'x'.repeat(200)}…`],
	]) {
		const shown = await page(await service.newRequest({ templateId: 'a-form', webhookIdentifier }));
		expectPage(shown, 200, `<h1>${heading}</h1>`);
		expect(shown.text).not.toContain('a-form');
	}
});
