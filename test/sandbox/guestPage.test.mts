import { useService } from './client.mts';

const service = useService();

test('hostile names and answers are text on pages that load nothing and cannot be framed', async () => {
	const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
	const id = await service.newRequest({ templateId: hostile, webhookIdentifier: hostile });
	const answer = { 'answers[Delivery address]': `<b>${hostile}</b>` };
	const refused = await service.submit(id, { name: hostile, email: hostile, ...answer });
	expect(refused.status).toBe(400);
	const thanks = await service.submit(id, { name: hostile, email: 'ann@example.com', ...answer });
	expect(thanks.status).toBe(200);
	for (const page of [refused, thanks, await service.ask('/')]) {
		const text = await page.text();
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain(hostile);
		expect(text).not.toMatch(/<img|<script>/);
		expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/);
		const policy = page.headers.get('content-security-policy');
		expect(policy).toMatch(/default-src 'none'.*frame-ancestors/);
	}
});
