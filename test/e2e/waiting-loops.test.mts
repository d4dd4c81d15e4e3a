import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import { loopNode, setNode, splitNode } from '../support/workflows.mts';
import { rest } from '../support/environment.mts';
import { ada, ben, complete, join } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createWaiting, waitingName, waits, waitTracker } from '../support/waiting.mts';
import type { OwnNodes, Wait, WaitingOptions } from '../support/waiting.mts';

// What only a real n8n has: its Loop Over Items, and its error outputs. It ends expired waits only
// once a minute, so the executions run side by side.

/** A limit for the first run of Wait; later ones end by a notification. */
const limit = {
	limitWaitTime: true,
	resumeUnit: 'seconds',
	resumeAmount: '={{ $runIndex === 0 ? 10 : 900 }}',
};

/** Starts a workflow for three offices. */
async function start(options: WaitingOptions) {
	const created = await createWaiting({ ...options, name: `E2E loops: ${options.name}` });
	const items = ['A', 'B', 'C'].map((office) => ({ office }));
	const executionId = await created.start({ items });
	return {
		/** The collection request with this number, from 0, once the execution waits for it. */
		awaited: async (number: number): Promise<Wait> => {
			const find = async () => (await created.requests(executionId))[number];
			const wait = await until(`collection request ${number}`, find, waitTracker);
			await waits(executionId);
			return wait;
		},
		/** The request IDs of all that exist. */
		created: async () => (await created.requests(executionId)).map(({ requestId }) => requestId),
		/** What has come out of a node, run by run, by its outputs. */
		idsOf: async (node = waitingName) =>
			runsOf(await rest.getExecution(executionId), node).map((outputs) =>
				outputs.map((each) => each.map(({ requestId }) => requestId)),
			),
		/** Waits until the limit has led back into Wait. */
		waitsAgain: async (node = waitingName) => {
			// The run of the node that waits is there already.
			const isBack = async () => runsOf(await rest.getExecution(executionId), node).length > 1;
			await until('the limit has come', isBack, waitTracker);
			await waits(executionId);
		},
	};
}

type Started = Awaited<ReturnType<typeof start>>;

/** Completes the collection requests with these numbers, each once it is awaited. */
async function completeEach(started: Started, numbers: number[]) {
	const all: Wait[] = [];
	for (const number of numbers) {
		const wait = await started.awaited(number);
		await complete(wait.requestId);
		all.push(wait);
	}
	const [last] = all.reverse();
	assert.ok(last);
	return await last.endsOnce();
}

const inLoop = ({ create, wait, next }: OwnNodes) => [
	splitNode('body.items'),
	loopNode(1),
	create,
	wait,
	next,
];
/** Get Participants for those to remind, and what stands for an email. */
const reminding = ({ wait }: OwnNodes) => {
	const parameters = { resource: 'collectionRequest', operation: 'getParticipants' };
	const own = { id: randomUUID(), name: 'People', webhookId: randomUUID() };
	return [
		{ ...wait, ...own, parameters: { ...parameters, include: 'toRemind' } },
		setNode('Email', 'office', "={{ $('Items').item.json.office }}"),
	];
};

/** Names of nodes that need care. */
const createName = 'Create "it\'s" {{ 1 }}';
const waitName = "Wait `for` 'all' }} ${1} \"\\";
const onError = { onError: 'continueErrorOutput' };
const participantsJson = '={{ $json.office === "B" ? "nobody" : "[]" }}';

const remindersInside: WaitingOptions = {
	name: 'reminders inside',
	wait: limit,
	follow: (nodes) => [...inLoop(nodes), ...reminding(nodes)],
	paths: [
		'Webhook -> Items -> Loop -> Next',
		'Loop/1 -> Create -> Wait -> Loop',
		'Wait/1 -> People -> Email -> Wait',
		'People/1 -> Loop',
	],
};

const errorOutputs: WaitingOptions = {
	name: 'error outputs',
	wait: limit,
	follow: ({ create, wait, next }) => [
		splitNode('body.items'),
		{
			...create,
			...onError,
			name: createName,
			parameters: { ...create.parameters, participantsJson },
		},
		{ ...wait, ...onError, name: waitName },
		next,
		setNode('Failed', 'failed', '={{ $json.error }}'),
	],
	paths: [
		`Webhook -> Items -> ${createName} -> ${waitName} -> Next`,
		`${createName}/1 -> Failed`,
		`${waitName}/1 -> ${waitName}`,
		`${waitName}/2 -> Failed`,
	],
};

let reminded: Started;
let erring: Started;
beforeAll(async () => {
	reminded = await start(remindersInside);
	await join((await reminded.awaited(0)).guestLink, ada);
	erring = await start(errorOutputs);
});

describe('Loop Over Items', () => {
	test('reminders inside: whoever is missing in this round is reminded, then the loop goes on', async () => {
		await reminded.waitsAgain();
		const execution = await completeEach(reminded, [0, 1, 2]);
		const [a, b, c] = await reminded.created();
		expect(await reminded.idsOf()).toEqual([
			[[], [a]],
			[[a], []],
			[[b], []],
			[[c], []],
		]);
		const mails = runsOf(execution, 'Email').flat(2);
		expect(mails.map(({ email, office }) => [email, office])).toEqual([[ben.email, 'A']]);
	});
});

test('error outputs of Create and Wait, and names with quotes and braces', async () => {
	await erring.waitsAgain(waitName);
	const execution = await completeEach(erring, [0, 1]);
	const [a, c] = await erring.created();
	const outputs = await erring.idsOf(waitName);
	expect(outputs.map(([done, timedOut]) => [done, timedOut])).toEqual([
		[[], [a, c]],
		[[a, c], []],
	]);
	expect(runsOf(execution, 'Failed').map(([items = []]) => items.length)).toEqual([1]);
	expect(String(outputOf(execution, 'Failed')[0]?.failed)).toMatch(/is not valid JSON/);
});
