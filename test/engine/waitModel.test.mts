import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { LIMIT, replay } from '../support/random.mts';
import type { Execution } from './support/engine.mts';
import { json, type Statuses } from './support/faultServer.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { reportedExecution, wait } from './support/waitNode.mts';

// Random waits for several collection requests, compared with what docs/wait.md and docs/nodes.md
// promise. The model below is written from these pages alone and shares no code with the package.

const time = useVirtualTime();
const IDS = ['a', 'b', 'c'];
const STATUSES = ['draft', 'open', 'completed', 'declined', 'expired'];
/** Missing, forbidden, refused, and unavailable. */
const FAULTS = [404, 410, 403, 400, 500];

/** What the service says of a collection request: its status, or a failure with this HTTP status. */
interface Resource {
	status: string;
	fault?: number;
}

const isGone = ({ fault }: Resource) => fault === 404 || fault === 410;

interface Wait {
	/** Each once, in the order of the input. */
	ids: string[];
	/** The statuses of Wait For. */
	awaited: string[];
	/** Number to Wait For. */
	number?: number;
	/** What the service says now. */
	service: Record<string, Resource>;
}

type Model = ReturnType<typeof modelOf>;

/** One wait, by the rules of docs/wait.md and of "What cannot be read" in docs/nodes.md. */
function modelOf({ ids, awaited, number, service }: Wait) {
	/** The awaited statuses that were reported, or read when the wait began: they count for good. */
	const had = new Map(ids.map((id) => [id, new Set<string>()]));
	const now = (id: string) => service[id] as Resource;
	const isReadable = (id: string) => now(id).fault === undefined;
	const isAwaited = (status: string | null) => awaited.includes(status ?? '');
	const isKnown = (id: string) => (had.get(id)?.size ?? 0) > 0;
	/** A read would show it. */
	const isReached = (id: string) => isKnown(id) || (isReadable(id) && isAwaited(now(id).status));
	/** 404 or 410 proves something only if anything else can be read. */
	const isMissing = (id: string) => !isKnown(id) && isGone(now(id)) && ids.some(isReadable);
	/** It might have an awaited status. */
	const isPossible = (id: string) => isReached(id) || (!isReadable(id) && !isMissing(id));
	/** Number to Wait For, or all; what is missing is not waited for. */
	const needed = () => {
		const left = ids.filter((id) => !isMissing(id)).length;
		return Math.min(number ?? left, left);
	};
	const areEnough = (which: (id: string) => boolean) => ids.filter(which).length >= needed();

	function note(id: string, status: string | null): void {
		if (status && isAwaited(status)) had.get(id)?.add(status);
	}

	/** Wait first reads each. What must not be read is an error; what cannot be read now is awaited. */
	function begin(): 'fails' | 'waits' | 'done' {
		const isRefused = ids.some((id) => [400, 403].includes(now(id).fault ?? 0));
		if (isRefused || ids.every((id) => isGone(now(id)))) return 'fails';
		for (const id of ids.filter(isReadable)) note(id, now(id).status);
		return areEnough(isReached) ? 'done' : 'waits';
	}

	/** What counts is what was reported, then what the others are now; without a status, the latter. */
	function respond(id: string, status: string | null, isNearLimit: boolean): string {
		if (!ids.includes(id)) return '200 ignored';
		if (isNearLimit) return '200 waiting';
		note(id, status);
		if (status !== null && !isAwaited(status)) return '200 waiting';
		if (ids.filter(isKnown).length >= (number ?? ids.length)) return '200 accepted';
		if (areEnough(isReached)) return '200 accepted';
		return areEnough(isPossible) ? '503 not checked' : '200 waiting';
	}

	/** Done has all, each once and in order; with Number to Wait For, only what had the status. */
	function checkDone(items: IDataObject[], endedBy?: string): void {
		const out = items.map(({ requestId }) => requestId as string);
		const mayLeave = (id: string) => isReached(id) || isMissing(id);
		const isOut = (id: string) => (number ? isKnown(id) || out.includes(id) : true);
		expect(out).toEqual(ids.filter((id) => mayLeave(id) && isOut(id)));
		expect(out.filter(isReached).length).toBeGreaterThanOrEqual(needed());
		expect(items).toMatchObject(out.map((id) => itemOf(id, endedBy)));
		for (const [index, id] of out.entries()) {
			const { fault, status } = now(id);
			const isCurrent = fault === undefined && isAwaited(status);
			const possible = isMissing(id) ? [null] : [...(had.get(id) ?? [])];
			expect(isCurrent ? [status] : possible).toContain(items[index]?.shareStatus);
		}
	}

	/** Done says of each what Get says, or why it could not be read. */
	const itemOf = (id: string, endedBy?: string) => ({
		isReached: isReached(id),
		timedOut: false,
		notification: endedBy === id ? { requestId: id } : null,
		...(isReadable(id) ? { title: `Title ${id}` } : { readError: containing('') }),
	});

	return { ids, service, isReadable, isAwaited, isKnown, begin, respond, checkDone };
}

const id = fc.constantFrom(...IDS);
const status = fc.constantFrom(...STATUSES, 'open', 'completed', 'completed');
const KINDS = ['change', 'change', 'change', 'report', 'silent', 'fail', 'fail', 'heal'];
const event = fc.record({
	/** `change` is reported, `silent` is not, and `report` is late, premature or without a status. */
	kind: fc.constantFrom(...KINDS, 'report', 'other', 'nearLimit'),
	id,
	status,
	fault: fc.constantFrom(...FAULTS),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
const fault = fc.option(fc.constantFrom(...FAULTS, 404, 500), { nil: undefined, freq: 8 });
// None is awaited by most waits, or they would be over at once.
const start = fc.constantFrom('draft', 'draft', 'draft', 'draft', 'draft', 'open', 'completed');
const waits = fc.record({
	/** The collection requests of the input items. */
	input: fc.array(id, { minLength: 1, maxLength: 5 }),
	waitFor: fc.constantFrom('completed', 'open', 'open', 'statuses'),
	number: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined, freq: 3 }),
	limitWaitTime: fc.boolean(),
	service: fc.record(
		Object.fromEntries(IDS.map((name) => [name, fc.record({ status: start, fault })])),
	),
	events: fc.array(event, { maxLength: 12, size: 'max' }),
});
type Given = typeof waits extends fc.Arbitrary<infer T> ? T : never;

const AWAITED: Record<string, string[]> = {
	completed: ['completed'],
	open: ['open', 'completed'],
	statuses: ['declined', 'expired'],
};

/** The stand-in for the service says what the model has. */
function answersOf(service: Record<string, Resource>): Statuses {
	const answerOf = ({ status: said, fault: code }: Resource) => (code ? json(code, {}) : said);
	return new Proxy<Statuses>(
		{},
		{ get: (_target, name) => answerOf(service[String(name)] as Resource) },
	);
}

/** Runs one wait in the real n8n-core beside the model; resolves to its execution. */
async function compare(given: Given, execution: Execution): Promise<Execution> {
	const { input, waitFor, limitWaitTime } = given;
	const ids = [...new Set(input)];
	const number = given.number === undefined ? undefined : Math.min(given.number, ids.length);
	const service = structuredClone(given.service) as Record<string, Resource>;
	const model = modelOf({ ids, awaited: AWAITED[waitFor] ?? [], number, service });
	const before = model.begin();
	const begun = await wait(
		answersOf(service),
		input,
		{
			waitFor,
			waitForStatuses: AWAITED.statuses ?? [],
			limitWaitTime,
			options: number === undefined ? {} : { numberToWaitFor: number },
		},
		{ execution },
	);
	const outcome = begun.error ? 'fails' : begun.until ? 'waits' : 'done';
	expect(outcome).toBe(before);
	const isAnyDown = ids.some((name) => service[name]?.fault === 500);
	// A read that fails is tried three times, and again if that took a while.
	assertReads(begun.urls, ids, isAnyDown ? 6 : 1);
	if (before === 'done') {
		model.checkDone(begun.json);
		expect(begun.items.map(({ pairedItem }) => pairedItem)).toEqual(
			begun.items.map(({ json: { requestId } }) => linkOf(input, requestId as string)),
		);
	}
	if (before !== 'waits') return begun.execution;

	const timedOut = (begun.timedOut ?? []).map((item) => item.json);
	expect(timedOut).toMatchObject(ids.map((requestId) => ({ requestId, timedOut: true })));
	await compareEvents(given.events, model, begun);
	return begun.execution;
}

/** An item that names a collection request alone is linked with what comes out for it. */
function linkOf(input: string[], name: string) {
	const item = input.indexOf(name);
	return item === input.lastIndexOf(name) ? { item } : [];
}

/** Reads only these, each so often at most. */
function assertReads(urls: string[], ids: string[], times: number): void {
	const read = urls.map((url) => url.split('/').at(-1) ?? '');
	expect(ids).toEqual(expect.arrayContaining([...new Set(read)]));
	for (const name of ids) {
		expect(read.filter((other) => other === name).length).toBeLessThanOrEqual(times);
	}
}

type Begun = Awaited<ReturnType<typeof wait>>;

async function compareEvents(events: Event[], model: Model, begun: Begun): Promise<void> {
	const credential = { productionBaseUrl: begun.serviceUrl ?? '' };
	const host = await startTriggerHost({ waiting: begun.run.data, credential });
	const { service, ids } = model;
	const limit = Number(begun.until);
	const hasLimit = limit < WAIT_INDEFINITELY.getTime();
	for (const [index, { kind, id: name, status: now, fault: code }] of events.entries()) {
		const at = service[name] as Resource;
		// Only if nothing reported it, an awaited status may pass without a trace.
		const isUnreported = !model.isKnown(name) && model.isAwaited(at.status);
		if (kind === 'nearLimit' && hasLimit) time.advance(Math.max(0, limit - 1_500 - time.now()));
		if (kind === 'fail' && !isUnreported) at.fault = code;
		if (kind === 'heal') at.fault = undefined;
		if (kind === 'silent' && !model.isAwaited(at.status)) at.status = now;
		if (kind === 'change') at.status = now;
		const said = kind === 'report' && index % 4 === 0 ? null : now;
		if (!['change', 'report', 'other'].includes(kind)) continue;
		const requestId = kind === 'other' ? 'x' : name;
		const known = ids.filter(model.isKnown);
		const reads = begun.requests.length;
		const response = await host.notify({ requestId, shareStatus: said, index });
		const isLate = time.now() > limit - 2_000;
		const expected = model.respond(requestId, said, isLate);
		expect([index, response]).toEqual([index, expected]);
		const urls = begun.requests.slice(reads).map(({ url }) => url);
		const isRead = /accepted|not checked/.test(response) || said === null || model.isAwaited(said);
		const isAnyGone = ids.some((other) => isGone(service[other] as Resource));
		const readable =
			response === '200 accepted' || isAnyGone ? ids : ids.filter((x) => !known.includes(x));
		assertReads(urls, isRead ? readable : [], ids.every(model.isReadable) ? 1 : 6);
		if (response !== '200 accepted') continue;
		const [done = [], timedOut] = host.outputs;
		expect(timedOut).toEqual([]);
		model.checkDone(
			done.map((item) => item.json),
			requestId,
		);
		break;
	}
	if (host.outputs.length === 0) return;
	// A wait ends once.
	for (const requestId of ids) await host.notify({ requestId, again: true });
	expect(host.outputs).toHaveLength(2);
}

test(
	'one or two waits of an execution are as documented, whatever happens',
	async () => {
		const property = fc.asyncProperty(waits, fc.option(waits), async (first, second) => {
			const execution = await compare(first, await reportedExecution(IDS));
			if (second) await compare(second, execution);
		});
		await fc.assert(property, { numRuns: 60, seed: 1, ...replay });
	},
	LIMIT,
);
