import { asJson, useService, type Json } from './client.mts';

const service = useService();
let requestId: string;
beforeEach(async () => {
	await service.clear();
	requestId = await service.newRequest();
});

const put = (settings: Json) =>
	service.ask('/sandbox/faults', { ...asJson(settings), method: 'PUT' });
const read = () => service.read(`collection-request/${requestId}`);

test('so many responses get a status, and what they were asked for is not done', async () => {
	await put({ status: 429, left: 2, retryAfter: 7 });
	const refused = await service.create({ templateId: 'x' });
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
	expect(await service.list('/sandbox/requests')).toHaveLength(1);
	expect([(await read()).status, (await read()).status]).toEqual([429, 200]);
});

test('all responses get a status until it is taken back, but not those to a wrong key', async () => {
	await put({ status: 500 });
	expect([(await read()).status, (await read()).status]).toEqual([500, 500]);
	expect((await service.ask(`/di/collection-request/${requestId}`)).status).toBe(401);
	await put({});
	expect((await read()).status).toBe(200);
});

test('every response is late', async () => {
	await put({ apiDelayMs: 200 });
	const start = Date.now();
	expect((await read()).json._id).toBe(requestId);
	expect(Date.now() - start).toBeGreaterThanOrEqual(190);
});

test.each([[{ status: 200 }], [{ status: 500, left: 0 }], [{ somethingElse: 1 }]])(
	'%j is refused and changes nothing',
	async (settings) => {
		await put({ status: 503 });
		expect((await put(settings)).status).toBe(400);
		expect((await read()).status).toBe(503);
	},
);
