import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction } from './support/engine.mts';
import { by, having, json } from './support/faultServer.mts';
import { CREATE, READ } from './support/operations.mts';

const ADA = 'ada@example.com';
const BEN = 'ben@example.com';
const BOSS = 'boss@example.com';

/** Somebody in the share, with an email or a phone number. */
const joined = (contact: string, ...roles: string[]) => ({
	account_id: `account of ${contact}`,
	accountType: 'user',
	accountSnapshot: contact.includes('@') ? { email: contact } : { phoneNumber: contact },
	roles,
});

interface Request {
	status?: string;
	invited?: object[];
	joined?: object[];
}

/** A service with these collection requests, by their IDs. */
function service(requests: Record<string, Request>) {
	const found = Object.entries(requests).flatMap(([id, request]) => {
		const { status = 'open', invited = [], joined: participants } = request;
		const shareId = participants && `share-${id}`;
		const fields = { _id: id, shareStatus: status, participantList: invited, shareId };
		return [
			[`collection-request/${id}`, fields],
			[`share/share-${id}`, { _id: shareId, participants }],
		];
	});
	return having(Object.fromEntries(found) as Record<string, unknown>);
}

/** Runs Get People to Remind for all of them; the outputs show who is reminded, and what is completed. */
async function toRemind(
	requests: Record<string, Request>,
	settings: Partial<INode> = {},
	ids = Object.keys(requests),
	failed = new Map<string, number>(),
) {
	const found = service(requests);
	const requestId = '={{ $json.requestId }}';
	const run = await runAction({
		parameters: { ...READ, operation: 'getPeopleToRemind', requestId },
		input: ids.map((id) => ({ requestId: id })),
		answer: by(({ url }) => {
			const status = failed.get(url.split('/').at(-1) ?? '');
			return status === undefined ? found : json(status, {});
		}),
		settings,
	});
	const { items, outputs } = run;
	return {
		...run,
		reminded: items.map(({ json }) => json.email ?? json.phoneNumber ?? json.error),
		completed: (outputs[1] ?? []).map(({ json }) => json.requestId),
	};
}

const invited = [{ email: ADA }, { email: BEN }];
const organisers = [joined(BOSS, 'organiser'), joined('it@example.com', 'admin')];

test.each<[string, Request, string[]]>([
	['those who have not joined', { invited, joined: [joined(ADA)] }, [BEN]],
	[
		'everybody if all have joined: somebody has not submitted',
		{ invited, joined: [joined(ADA, 'sharer'), joined(BEN, 'sharer')] },
		[ADA, BEN],
	],
	[
		'people without an email, matched by their phone number without its spaces',
		{
			invited: [{ phoneNumber: '+41 44 668 18 00' }, { phoneNumber: '+41 (44) 000-00-00' }],
			joined: [joined('+41446681800')],
		},
		['+41 (44) 000-00-00'],
	],
	[
		'not who organises it without an invitation',
		{ invited: [{ email: ADA }], joined: [joined(ADA, 'sharer'), ...organisers] },
		[ADA],
	],
	['nor if nobody was invited', { joined: [joined(BEN, 'sharer'), ...organisers] }, [BEN]],
	['but with an invitation', { invited: [{ email: BOSS }], joined: organisers }, [BOSS]],
])('%s', async (_title, request, reminded) => {
	const run = await toRemind({ r1: request });
	expect([run.reminded, run.completed]).toEqual([reminded, []]);
});

test('the account is named, so that the history can be joined with it', async () => {
	const { json } = await toRemind({ r1: { invited: [{ email: ADA }], joined: [joined(ADA)] } });
	expect(json).toMatchObject([{ accountId: `account of ${ADA}`, email: ADA }]);
});

test('a hint says if no Wait comes after it, to which the reminders lead back', async () => {
	const message = containing('No Wait comes after this node');
	expect((await toRemind({ r1: { invited } })).hints).toMatchObject([{ message }]);
	expect((await toRemind({ r1: { invited, status: 'completed' } })).hints).toEqual([]);
});

test('nobody of a completed one, as long as others are open', async () => {
	const { reminded, completed, items } = await toRemind({
		done: { status: 'Completed', invited },
		late: { invited, joined: [joined(BEN)] },
	});
	expect([reminded, completed]).toEqual([[ADA], []]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
});

test('when all are completed, each leaves by the second output, once', async () => {
	const done = { status: 'completed', invited };
	const { outputs } = await toRemind({ r1: done, r2: done }, {}, ['r1', 'r1', 'r2']);
	const itemOf = (requestId: string, item: number) => ({
		json: {
			requestId,
			guestLink: `https://collect.example.com/request/${requestId}`,
			shareStatus: 'completed',
		},
		pairedItem: { item },
	});
	expect(outputs).toEqual([[], [itemOf('r1', 0), itemOf('r2', 2)]]);
});

test('with Continue On Fail, one that cannot be read does not count as completed', async () => {
	const settings = { onError: 'continueRegularOutput' as const };
	const requests = { r1: { status: 'completed' } };
	const failed = new Map([['r2', 422]]);
	const { reminded, completed } = await toRemind(requests, settings, ['r1', 'r2'], failed);
	expect(reminded).toEqual([
		'The service refused the request to read the collection request "r2" (HTTP 422)',
	]);
	expect(completed).toEqual([]);
});

describe('one that the service no longer has', () => {
	const [ids, failed] = [['r1', 'gone', 'deleted'], new Map([['deleted', 410]])];
	const messages = [
		'The service does not know the collection request "gone" (HTTP 404). It is left out, and holds nobody up.',
		'The service no longer has the collection request "deleted" (HTTP 410). It is left out, and holds nobody up.',
	];
	const hinted = ({ hints }: Awaited<ReturnType<typeof toRemind>>) =>
		hints.map(({ message }) => message).filter((message) => messages.includes(message));

	test('does not stop the reminders of the others, and a hint names it', async () => {
		const run = await toRemind({ r1: { invited } }, {}, ids, failed);
		expect([run.reminded, hinted(run)]).toEqual([[ADA, BEN], messages]);
	});

	test('holds nobody up when the others are completed', async () => {
		const run = await toRemind({ r1: { status: 'completed' } }, {}, ids, failed);
		expect([run.reminded, run.completed, hinted(run)]).toEqual([[], ['r1'], messages]);
	});

	test('is an error if there are no others', async () => {
		const { error } = await toRemind({}, {}, ids.slice(1), failed);
		expect(error?.message).toBe(
			'The service does not know the collection request "gone" (HTTP 404)',
		);
	});

	test('is not one whose share alone is missing', async () => {
		const missing = new Map([['share-r1', 404]]);
		const { error } = await toRemind({ r1: { invited, joined: [] } }, {}, ['r1'], missing);
		expect(error?.message).toContain('does not know the share "share-r1"');
	});
});

test('as a tool, it says that all are completed: an agent sees the first output only', async () => {
	const settings = { type: 'n8n-nodes-data-collection.dataCollectionTool' };
	const { json: items } = await toRemind({ r1: { status: 'completed', invited } }, settings);
	expect(items).toMatchObject([{ requestId: 'r1', shareStatus: 'completed', allCompleted: true }]);
});

/** The same address in a form in which lists have it. */
const form = fc.constantFrom<Array<(address: string) => string>>(
	(address) => `<${address}>`,
	(address) => ` ${address};`,
	(address) => `mailto:${address}`,
	(address) => `'${address}'`,
	(address) => `"Lovelace, Ada" <${address}>`,
	(address) => `Lovelace, Ada <${address}>,`,
	(address) => `${address} <${address}>`,
	(address) => `\u202a${address}\u200b`,
	(address) => address.toUpperCase(),
);

test('whoever answers as the clean form of an address is not reminded, whatever form it has', async () => {
	const word = fc.string({ unit: fc.constantFrom(...'abxyzäé09.-'), minLength: 1, maxLength: 6 });
	const person = fc.tuple(word, word, form).map(([user, host, inForm]) => {
		const address = `a${user}@x${host.replaceAll(/[.-]/g, '')}.example`;
		return { address, entered: inForm(address) };
	});
	const people = fc.uniqueArray(person, {
		minLength: 1,
		maxLength: 30,
		selector: (one) => one.address,
	});
	await fc.assert(
		fc.asyncProperty(people, async (all) => {
			const list = all.map(({ entered }) => ({ email: entered }));
			const { requests } = await runAction({
				parameters: { ...CREATE, participantsMode: 'json', participantsJson: JSON.stringify(list) },
				answer: json(201, { _id: 'r1' }),
			});
			const { participantList } = JSON.parse(requests[0]?.body ?? '') as {
				participantList: Array<{ email: string }>;
			};
			// The service may return the invitation as it was sent, or as somebody else entered it.
			for (const invited of [participantList, list]) {
				const accounts = participantList.map(({ email }) => joined(email));
				const { reminded } = await toRemind({
					r1: { invited: [...invited, { email: 'late@example.com' }], joined: accounts },
				});
				expect(reminded).toEqual(['late@example.com']);
			}
		}),
		{ numRuns: 15 },
	);
});

test.each<[string, Partial<INode>, number]>([
	['Nobody can be reminded: the service names no participants', {}, 1],
	['Always Output Data cannot be used with this operation', { alwaysOutputData: true }, 0],
	// The other collection requests would be forgotten.
	['Execute Once cannot be used with this operation', { executeOnce: true }, 0],
])('it is refused: %s', async (message, settings, sent) => {
	expect(await toRemind({ r1: {} }, settings)).toMatchObject({ error: { message }, sent });
});
