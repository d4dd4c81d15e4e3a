import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import { callApi, createRequest, exchange, listOf, postForm, postJson } from './client.mts';
import { anyText, readRequest, submit } from './client.mts';
import type { Json } from './client.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const ADDRESS = 'answers[Delivery address]';
const page = (requestId: string) => `${service.url}/request/${requestId}`;
const join = (requestId: string, email: string, name = 'Ann') =>
	postForm(`${page(requestId)}/join`, { name, email });

async function answer(location: string, address = 'Main Street 1') {
	return await postForm(`${service.url}${location}`, { [ADDRESS]: address });
}

async function readShare(requestId: string): Promise<Json> {
	const { shareId } = await readRequest(service.url, requestId);
	return (await callApi(`${service.url}/di/share/${String(shareId)}`)).json;
}

const emailsOf = (share: Json) =>
	listOf(share.participants).map(({ accountSnapshot }) => listOf([accountSnapshot])[0]?.email);

describe('with a form, in two steps', () => {
	test('joining creates the share, submitting fills and completes it', async () => {
		const requestId = await createRequest(service.url);
		expect((await exchange(page(requestId))).text).toContain('Step 1 of 2');
		const { status, location } = await join(requestId, 'ann@example.com');
		expect(status).toBe(303);
		expect(location).toMatch(new RegExp(`^/request/${requestId}/answers/[0-9a-f]{48}$`));
		expect(await readShare(requestId)).toMatchObject({
			collectionRequestId: requestId,
			status: 'open',
			otherFields: [],
		});

		expect((await exchange(`${service.url}${location}`)).text).toContain('Step 2 of 2');
		expect((await answer(location)).status).toBe(303);
		expect((await exchange(`${service.url}${location}`)).text).toContain('Thank you, Ann');
		const share = await readShare(requestId);
		expect(share).toMatchObject({ status: 'completed', __v: 3 });
		expect(share.otherFields).toContainEqual({
			value: 'Main Street 1',
			isMandatory: true,
			type: 'text',
			label: 'Delivery address',
		});
	});

	test('completes when all invited have submitted, whatever the case of their address', async () => {
		const participantList = [
			{ email: 'Ann@Example.com', isAdmin: true, phoneNumber: '+49 30 1' },
			{ email: 'ben@example.com' },
		];
		const requestId = await createRequest(service.url, { participantList });
		const ann = await join(requestId, 'aNN@example.COM');
		await answer(ann.location);
		expect((await readRequest(service.url, requestId)).shareStatus).toBe('open');
		const ben = await join(requestId, 'ben@example.com', 'Ben');
		await answer(ben.location, 'Side Street 2');

		const share = await readShare(requestId);
		expect(share.status).toBe('completed');
		expect(listOf(share.participants)).toMatchObject([
			{ accountType: 'organisation', roles: ['organiser'], parentAccount_id: anyText },
			{
				accountType: 'user',
				roles: ['sharer', 'admin'],
				accountSnapshot: { phoneNumber: '+49 30 1' },
			},
			{ accountType: 'user', roles: ['sharer'], accountSnapshot: { phoneNumber: null } },
		]);
		const labels = listOf(share.otherFields).map(({ label }) => label);
		expect(labels.filter((label) => label === 'Delivery address')).toHaveLength(2);
	});

	test('waits for the minimum even when all invited have submitted', async () => {
		const participantList = [{ email: 'ann@example.com' }];
		const requestId = await createRequest(service.url, { participantList, minimumParticipants: 2 });
		expect((await submit(service.url, requestId, 'ann@example.com')).json.shareStatus).toBe('open');
		expect((await submit(service.url, requestId, 'eve@example.com')).json.shareStatus).toBe(
			'completed',
		);
	});

	test('completes at the minimum when nobody was invited', async () => {
		const requestId = await createRequest(service.url, { minimumParticipants: 2 });
		expect((await submit(service.url, requestId, 'a@example.com')).json.shareStatus).toBe('open');
		expect((await submit(service.url, requestId, 'b@example.com')).json.shareStatus).toBe(
			'completed',
		);
	});

	test('keeps the places of the invited, and turns others away when it is full', async () => {
		const participantList = [{ email: 'ann@example.com' }];
		const requestId = await createRequest(service.url, { participantList, maximumParticipants: 2 });
		expect((await join(requestId, 'eve@example.com')).status).toBe(303);
		const late = await join(requestId, 'zoe@example.com');
		expect(late.status).toBe(409);
		expect(late.text).toContain('The remaining places are reserved');
		expect(late.text).toContain(`href="/request/${requestId}"`);
		const { json } = await submit(service.url, requestId, 'zoe@example.com');
		expect(json.code).toBe('full');
		expect(json.message).toContain('The remaining places are reserved. ');
		expect((await join(requestId, 'ann@example.com')).status).toBe(303);
		expect((await join(requestId, 'zoe@example.com')).text).toContain('All places are taken');
		const emails = emailsOf(await readShare(requestId));
		expect(emails).toEqual([null, 'eve@example.com', 'ann@example.com']);
	});

	test('the same address continues where it was, and is one participant', async () => {
		const requestId = await createRequest(service.url, { minimumParticipants: 2 });
		const first = await join(requestId, 'ann@example.com');
		const again = await join(requestId, 'ANN@example.com', 'Somebody else');
		expect(again.location).toBe(first.location);
		await answer(first.location);
		await answer(first.location, 'A second answer');
		const share = await readShare(requestId);
		expect(emailsOf(share)).toEqual([null, 'ann@example.com']);
		expect(JSON.stringify(share)).not.toContain('A second answer');
	});

	test('a completed request takes nobody and nothing more', async () => {
		const requestId = await createRequest(service.url);
		const waiting = await join(requestId, 'ann@example.com');
		await submit(service.url, requestId, 'ben@example.com');
		const complete = 'This request is already complete';
		expect((await exchange(page(requestId))).text).toContain(complete);
		for (const { status, text } of [
			await join(requestId, 'late@example.com'),
			await answer(waiting.location),
		]) {
			expect(status).toBe(409);
			expect(text).toContain(complete);
		}
		expect(emailsOf(await readShare(requestId))).not.toContain('late@example.com');
	});
});

describe('mistakes', () => {
	test('are told next to their fields, and what was entered stays', async () => {
		const requestId = await createRequest(service.url);
		const { status, text } = await postForm(`${page(requestId)}/join`, {
			name: 'Ann',
			email: 'nobody',
		});
		expect(status).toBe(400);
		expect(text).toContain('role="alert"');
		expect(text).toMatch(/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-error"/);
		expect(text).toContain('id="email-error"');
		expect(text).toContain('value="Ann"');
		expect(await readRequest(service.url, requestId)).not.toHaveProperty('shareId');
	});

	test('a mandatory question needs an answer', async () => {
		const requestId = await createRequest(service.url);
		const { location } = await join(requestId, 'ann@example.com');
		const { status, text } = await answer(location, '  ');
		expect(status).toBe(400);
		expect(text).toContain('Enter an answer: Delivery address.');
		expect((await readShare(requestId)).status).toBe('open');
	});

	test.each(['', '/answers/nobody'])('an unknown link%s is a friendly page', async (rest) => {
		const { status, text } = await exchange(`${service.url}/request/unknown${rest}`);
		expect(status).toBe(404);
		expect(text).toContain('We cannot find this request');
	});

	test('a token of another request does not open this one', async () => {
		const [one, other] = [await createRequest(service.url), await createRequest(service.url)];
		const { location } = await join(one, 'ann@example.com');
		const { status } = await exchange(`${service.url}${location.replace(one, other)}`);
		expect(status).toBe(404);
	});
});

test('hostile names are text, on the guest page and on the console', async () => {
	const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
	const requestId = await createRequest(service.url, {
		templateId: hostile,
		webhookIdentifier: hostile,
	});
	const { location } = await join(requestId, 'ann@example.com', hostile);
	const failed = await answer(location, '');
	const pages = [
		(await postForm(`${page(requestId)}/join`, { name: hostile, email: hostile })).text,
		(await exchange(`${service.url}${location}`)).text,
		failed.text,
		(await exchange(`${service.url}/`)).text,
	];
	for (const text of pages) {
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain(hostile);
		expect(text).not.toMatch(/<img|<script>/);
	}
});

test('pages load nothing from elsewhere and cannot be framed', async () => {
	const requestId = await createRequest(service.url);
	for (const url of [page(requestId), `${service.url}/`]) {
		const { headers, text } = await exchange(url);
		expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors/);
		expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/);
	}
	expect((await exchange(page(requestId))).text).not.toContain('<script');
});

describe('what guests read on top', () => {
	const titleOf = (text: string) => /<title>(.*)<\/title>/.exec(text)?.[1];
	const headingOf = (text: string) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
	const templateId = 'a-form-of-the-template';

	test('is the topic, on every page, and never the name of the template', async () => {
		const requestId = await createRequest(service.url, {
			templateId,
			webhookIdentifier: ' New office ',
			maximumParticipants: 1,
		});
		const first = await exchange(page(requestId));
		expect([titleOf(first.text), headingOf(first.text)]).toEqual(['New office', 'New office']);
		const { location } = await join(requestId, 'ann@example.com');
		const second = await exchange(`${service.url}${location}`);
		expect([titleOf(second.text), headingOf(second.text)]).toEqual(['New office', 'New office']);
		const failed = await answer(location, ' ');
		expect(titleOf(failed.text)).toBe('Error: New office');
		const full = await join(requestId, 'ben@example.com');
		expect(titleOf(full.text)).toBe('All places are taken – New office');
		await answer(location);
		const thanks = await exchange(`${service.url}${location}`);
		expect(titleOf(thanks.text)).toBe('Thank you, Ann – New office');
		const completed = await exchange(page(requestId));
		expect(titleOf(completed.text)).toBe('This request is already complete – New office');
		for (const { text } of [first, second, failed, full, thanks, completed]) {
			expect(text).not.toContain(templateId);
		}
	});

	test.each([undefined, '', '  '])(
		'is a sentence for people without a topic (%j)',
		async (none) => {
			const requestId = await createRequest(service.url, { templateId, webhookIdentifier: none });
			const { text } = await exchange(page(requestId));
			expect(headingOf(text)).toBe('We have some questions for you');
			expect(text).not.toContain(templateId);
		},
	);

	test('is cut where it is very long', async () => {
		const requestId = await createRequest(service.url, { webhookIdentifier: 'x'.repeat(5000) });
		expect(headingOf((await exchange(page(requestId))).text)).toBe(`${'x'.repeat(200)}…`);
	});
});

describe('in one step', () => {
	const answers = { 'Delivery address': 'Main Street 1' };

	test('nothing changes unless everything is accepted', async () => {
		const requestId = await createRequest(service.url);
		const bodies = [
			{ email: 'ann@example.com', answers },
			{ name: 'Ann', email: 'ann', answers },
			{ name: 'Ann', email: 'ann@example.com', answers: {} },
			{ name: 'Ann', email: 'ann@example.com', answers: { ...answers, Unknown: 'x' } },
		];
		for (const body of bodies) {
			const { status, json } = await postJson(page(requestId), body);
			expect([status, json.code]).toEqual([400, 'invalid_body']);
		}
		expect(await readRequest(service.url, requestId)).not.toHaveProperty('shareId');
		expect((await postJson(page('unknown'), { name: 'Ann' })).status).toBe(404);
	});

	test('a form goes on to the thank-you page', async () => {
		const requestId = await createRequest(service.url);
		const person = { name: 'Ann', email: 'ann@example.com' };
		const { location } = await postForm(page(requestId), { ...person, [ADDRESS]: 'Here' });
		expect((await exchange(`${service.url}${location}`)).text).toContain('Thank you, Ann');
	});
});
