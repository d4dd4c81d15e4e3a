import type { Flow, Seen } from './flow.mts';

/** Creates a collection request for each row, named after it, with one person. */
export const CREATE = {
	operation: 'create',
	templateId: '={{ $json.row }}',
	participants: { participant: [{ email: 'ada@example.com' }] },
};

/** The same with two people. */
export const CREATE_FOR_TWO = {
	...CREATE,
	participants: { participant: [{ email: 'ada@example.com' }, { email: 'ben@example.com' }] },
};

export const WAIT = {
	operation: 'wait',
	limitWaitTime: true,
	resumeAmount: 1,
	resumeUnit: 'hours',
};

/** Invite, wait, remind, collect, for several offices with one person each. */
export const REMINDERS = {
	nodes: {
		Trigger: 'trigger',
		Offices: 'rows',
		Create: CREATE,
		Email: 'email',
		Wait: WAIT,
		People: { operation: 'getParticipants', include: 'toRemind' },
		Remind: 'email',
		Answers: 'email',
	},
	edges: [
		'Trigger -> Offices',
		'Offices -> Create',
		'Create -> Email',
		'Email -> Wait',
		'Wait -> Answers',
		'Wait/1 -> People',
		'People -> Remind',
		'People/1 -> Answers',
		'Remind -> Wait',
	],
} satisfies Pick<Flow, 'nodes' | 'edges'>;

/** What each item is, and what it is linked with, as `A Create/Offices`, run by run. */
export const shown = (runs: Seen[][] | undefined = []): string[][] =>
	runs.map((items) =>
		items.map(({ requestId, error, Create, Offices }) =>
			[requestId ?? error, Create, Offices].join(' '),
		),
	);
