import type { INodeParameters } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction, type ActionRun } from './support/engine.mts';
import { having } from './support/faultServer.mts';
import { READ } from './support/operations.mts';

const ADA = 'ada@example.com';
const BEN = 'ben@example.com';
const PHONE = '+41 44 668 18 00';

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
	const resources: Record<string, unknown> = {};
	for (const [id, { status = 'open', invited = [], joined: participants }] of Object.entries(
		requests,
	)) {
		const shareId = participants && `share-${id}`;
		const request = { _id: id, shareStatus: status, participantList: invited, shareId };
		resources[`collection-request/${id}`] = request;
		resources[`share/share-${id}`] = { _id: shareId, participants };
	}
	return having(resources);
}

/** Runs To Remind for all of them; the outputs show who is reminded, and what is completed. */
async function toRemind(requests: Record<string, Request>, more: Partial<ActionRun> = {}) {
	const run = await runAction({
		parameters: REMIND,
		input: Object.keys(requests).map((requestId) => ({ requestId })),
		answer: service(requests),
		...more,
	});
	const [people, completed] = run.outputs;
	return {
		...run,
		reminded: people?.map(({ json }) => json.email ?? json.phoneNumber ?? json.error),
		completed: completed?.map(({ json }) => json.requestId),
		people,
	};
}

const REMIND: INodeParameters = {
	...READ,
	operation: 'getParticipants',
	include: 'toRemind',
	requestId: '={{ $json.requestId }}',
};

const bothInvited = [{ email: ADA }, { email: BEN }];

test('those who have not joined', async () => {
	const run = await toRemind({ r1: { invited: bothInvited, joined: [joined(ADA)] } });
	expect([run.reminded, run.completed]).toEqual([[BEN], []]);
});

test('a hint says if no Wait comes after it, to which the reminders lead back', async () => {
	const NO_WAIT = containing('No Wait comes after this node');
	const open = { r1: { invited: bothInvited } };
	const done = { r1: { invited: bothInvited, status: 'completed' } };
	expect((await toRemind(open)).hints).toMatchObject([{ message: NO_WAIT }]);
	expect((await toRemind(done)).hints).toEqual([]);
});

test('everybody if all have joined: somebody has not submitted', async () => {
	const joinedBoth = [joined(ADA, 'sharer'), joined(BEN, 'sharer')];
	const { reminded } = await toRemind({ r1: { invited: bothInvited, joined: joinedBoth } });
	expect(reminded).toEqual([ADA, BEN]);
});

test('nobody of a completed one, as long as others are open', async () => {
	const { reminded, completed, people } = await toRemind({
		done: { status: 'Completed', invited: bothInvited },
		late: { invited: bothInvited, joined: [joined(BEN)] },
	});
	expect([reminded, completed]).toEqual([[ADA], []]);
	expect(people?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
});

test('when all are completed, each leaves by the second output, once', async () => {
	const done = { status: 'completed', invited: bothInvited };
	const { reminded, completed, outputs } = await toRemind(
		{ r1: done, r2: done },
		{ input: [{ requestId: 'r1' }, { requestId: 'r1' }, { requestId: 'r2' }] },
	);
	expect([reminded, completed]).toEqual([[], ['r1', 'r2']]);
	expect(outputs[1]).toEqual([
		{
			json: {
				requestId: 'r1',
				guestLink: 'https://collect.example.com/request/r1',
				shareStatus: 'completed',
			},
			pairedItem: { item: 0 },
		},
		expect.objectContaining({ pairedItem: { item: 2 } }),
	]);
});

test('people without an email are matched by their phone number', async () => {
	const invited = [{ phoneNumber: PHONE }, { phoneNumber: '+41 44 000 00 00' }];
	const { reminded } = await toRemind({ r1: { invited, joined: [joined(PHONE)] } });
	expect(reminded).toEqual(['+41 44 000 00 00']);
});

test('a phone number is the same with spaces and without', async () => {
	const invited = [{ phoneNumber: PHONE }, { phoneNumber: '+41 (44) 000-00-00' }];
	const participants = [joined('+41446681800')];
	const { reminded } = await toRemind({ r1: { invited, joined: participants } });
	expect(reminded).toEqual(['+41 (44) 000-00-00']);
});

test('whoever organises it without an invitation is not asked to answer', async () => {
	const organisers = [joined('boss@example.com', 'organiser'), joined('it@example.com', 'admin')];
	const { reminded } = await toRemind({
		r1: { invited: [{ email: ADA }], joined: [joined(ADA, 'sharer'), ...organisers] },
		r2: { joined: [joined(BEN, 'sharer'), ...organisers] },
		r3: { invited: [{ email: 'boss@example.com' }], joined: organisers },
	});
	expect(reminded).toEqual([ADA, BEN, 'boss@example.com']);
});

test('a service that lists all invited people from the start: everybody', async () => {
	const listed = [joined(ADA), joined(BEN)];
	const { reminded } = await toRemind({ r1: { invited: bothInvited, joined: listed } });
	expect(reminded).toEqual([ADA, BEN]);
});

test('nobody is known at all: an error, because nothing would leave by either output', async () => {
	const { error } = await toRemind({ r1: {} });
	expect(error?.message).toBe('Nobody can be reminded: the service names no participants');
});

test('with Continue On Fail, one that cannot be read does not count as completed', async () => {
	const settings = { onError: 'continueRegularOutput' as const };
	const input = [{ requestId: 'r1' }, { requestId: 'gone' }];
	const requests = { r1: { status: 'completed' } };
	const { reminded, completed } = await toRemind(requests, { settings, input });
	expect(reminded).toEqual(['The service does not know the collection request "gone" (HTTP 404)']);
	expect(completed ?? []).toEqual([]);
});

test('with Always Output Data it is refused before anything is read', async () => {
	const settings = { alwaysOutputData: true };
	const { error, sent } = await toRemind({ r1: {} }, { settings });
	expect(error?.message).toBe('Always Output Data cannot be used with this operation');
	expect(sent).toBe(0);
});

test('with Execute Once it is refused: the other collection requests would be forgotten', async () => {
	const { error, sent } = await toRemind({ r1: {}, r2: {} }, { settings: { executeOnce: true } });
	expect(error?.message).toBe('Execute Once cannot be used with To Remind');
	expect(sent).toBe(0);
});

test('the account is named, so that the history can be joined with it', async () => {
	const { people } = await toRemind({
		r1: { invited: [{ email: ADA }], joined: [joined(ADA)] },
	});
	expect(people).toMatchObject([{ json: { accountId: `account of ${ADA}`, email: ADA } }]);
});
