import type { INodeParameters } from 'n8n-workflow';
import { runAction, runError, runOk } from './support/engine.mts';
import { json, withFaultServer } from './support/faultServer.mts';

const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
const LINK = 'https://collect.example.com/request/r1';
const asJson = (list: unknown) => ({
	participantsMode: 'json',
	participantsJson: JSON.stringify(list),
});
const NONE = 'No participant is invited: Participants is empty.';

async function create(parameters: INodeParameters, input?: Array<Record<string, never>>) {
	return await withFaultServer(
		json(201, { _id: 'r1', title: 'Title' }),
		async ({ url, requests }) => {
			const credential = { productionBaseUrl: url };
			const run = await runAction({ parameters: { ...CREATE, ...parameters }, credential, input });
			const bodies = requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
			return { ...run, bodies };
		},
	);
}

describe('one item for each participant', () => {
	const output = 'participants';

	test('as entered, with the request ID and the guest link first', async () => {
		const participant = [
			{ name: 'Ada', email: ' ada@example.com', phoneNumber: '', isAdmin: true },
			{ name: '', email: '', phoneNumber: '+41 1', isAdmin: false },
		];
		const { json: items, items: whole } = await create({ output, participants: { participant } });
		const about = { requestId: 'r1', guestLink: LINK };
		expect(items).toEqual([
			{ ...about, name: 'Ada', email: 'ada@example.com', phoneNumber: null, isAdmin: true },
			{ ...about, name: null, email: null, phoneNumber: '+41 1', isAdmin: false },
		]);
		expect(Object.keys(items[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
		expect(whole.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	});

	test('of several input items, each paired with its own', async () => {
		const parameters = { output, ...asJson([{ name: 'Ada' }, { name: 'Zoe' }]) };
		const { items } = await create(parameters, [{}, {}]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1].map((item) => ({ item })),
		);
	});

	test('of nobody: no item, and a hint', async () => {
		const { json: items, task } = await create({ output });
		expect(items).toEqual([]);
		expect(task?.hints?.map(({ message }) => message)).toEqual([NONE]);
	});
});

test('nobody invited: one hint for all items', async () => {
	const { json: items, task } = await create({}, [{}, {}, {}]);
	expect(items).toHaveLength(3);
	expect(task?.hints?.map(({ message }) => message)).toEqual([NONE]);
});

test('somebody invited: no hint', async () => {
	expect((await create(asJson([{ name: 'Ada' }]))).task?.hints ?? []).toEqual([]);
});

test.each([
	['https://n8n.example.com/webhook/1/webhook', 0],
	['https://n8n.example.com/webhook-waiting/1?signature=2', 0],
	['https://n8n.example.com/prefix/webhook/1/webhook', 0],
	['https://n8n.example.com/1', 1],
])('a Webhook URL %s gives %i hints', async (webhookUrl, count) => {
	const { task } = await create({ notify: 'trigger', webhookUrl, ...asJson([{ name: 'Ada' }]) });
	expect(task?.hints ?? []).toHaveLength(count);
	if (count)
		expect(task?.hints?.[0]?.message).toMatch(/^Webhook URL has no \/webhook\/ in its path/);
});

test('an entry with nothing in it is left out: the optional person of a form', async () => {
	const participant = [{ name: 'Ada' }, { name: ' ', email: '', phoneNumber: '', isAdmin: false }];
	const fromFields = await create({ participants: { participant } });
	const fromJson = await create(asJson([{ email: null, name: '' }, { name: 'Ada' }, {}]));
	for (const { bodies } of [fromFields, fromJson]) {
		expect(bodies).toHaveLength(1);
		expect(bodies[0]?.participantList).toMatchObject([{ name: 'Ada' }]);
		expect(bodies[0]?.participantList).toHaveLength(1);
	}
});

test('an entry with other fields beside a known one is sent as it is', async () => {
	const { bodies } = await create(asJson([{ email: 'ada@example.com', language: 'de' }]));
	expect(bodies[0]?.participantList).toEqual([{ email: 'ada@example.com', language: 'de' }]);
});

test('an entry with none of the known fields is refused, with the names that it has', async () => {
	await withFaultServer(json(201, { _id: '1' }), async ({ url, requests }) => {
		const error = await runError({
			parameters: {
				...CREATE,
				...asJson([{ name: 'Ada' }, { mail: 'zoe@example.com', lang: 'de' }]),
			},
			credential: { productionBaseUrl: url },
		});
		expect(error.message).toBe(
			'Participant 2 has none of the fields name, email, phoneNumber and isAdmin',
		);
		expect(error.description).toMatch(/^It has mail, lang\. /);
		expect(requests).toEqual([]);
	});
});

test('a failure tells what was created before, whatever came out for it', async () => {
	const answer = (status: (index: number) => number) =>
		((response, request, index) =>
			json(status(index), { _id: `r${index}` })(response, request, index)) as Parameters<
			typeof withFaultServer
		>[0];
	await withFaultServer(
		answer((index) => (index === 2 ? 422 : 201)),
		async ({ url }) => {
			const error = await runAction({
				parameters: { ...CREATE, output: 'participants', options: { concurrency: 1 } },
				input: [{}, {}, {}],
				credential: { productionBaseUrl: url },
			});
			expect(error.error?.description).toContain('2 collection requests were created: r0, r1.');
		},
	);
});

test('the value is named that is no whole number', async () => {
	for (const [value, shown] of [
		['={{ "two" }}', 'two'],
		['={{ [2] }}', '[2]'],
		[1.5, '1.5'],
	] as const) {
		const error = await runError({
			parameters: { ...CREATE, minimumParticipants: value },
		});
		expect(error.message).toBe(`Minimum Participants is not a whole number: ${shown}`);
	}
});

test('Get reads by guest link', async () => {
	await withFaultServer(json(200, { _id: 'r1' }), async ({ url, requests }) => {
		const parameters = {
			resource: 'collectionRequest',
			operation: 'get',
			requestId: `${LINK}?x=1`,
		};
		const item = await runOk({ parameters, credential: { productionBaseUrl: url } });
		expect(item).toMatchObject({ requestId: 'r1', guestLink: LINK });
		expect(requests.map((request) => request.url)).toEqual(['/di/collection-request/r1']);
	});
});
