import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { signed } from '../support/delivery.mts';
import { runOk } from './support/engine.mts';
import { json } from './support/faultServer.mts';
import { codeSpans, ROOT, section, textFile } from '../support/markdown.mts';
import { CREATE } from './support/operations.mts';
import { startTriggerHost } from './support/triggerHost.mts';

const PAGE = section(textFile('CONTRIBUTING.md'), 'Two trips through the code');

/** The files that a trip on the page names, in order. */
const filesOf = (trip: string) =>
	codeSpans(section(PAGE, trip)).filter((code) => code.startsWith('nodes/'));

/**
 * The files in nodes/ of which a named function runs during `work`; an unnamed one may be a callback
 * left over from an earlier test.
 */
async function filesThatRun(work: () => Promise<unknown>): Promise<string[]> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
		// Starts the count afresh: what ran before does not matter.
		await session.post('Profiler.takePreciseCoverage');
		await work();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		const ran = result
			.filter(({ functions }) =>
				functions.some(({ functionName, ranges }) => functionName && ranges[0]?.count),
			)
			.map(({ url }) => relative(ROOT, url.replace('file://', '')));
		// Jest's worker may have loaded a file more than once.
		return [...new Set(ran)].filter((path) => path.startsWith('nodes/'));
	} finally {
		session.disconnect();
	}
}

test.each([
	['An item through Create', 18],
	['A delivery through the trigger', 14],
])('%s is short enough to follow', (trip, count) => {
	expect(filesOf(trip)).toHaveLength(count);
	expect(new Set(filesOf(trip)).size).toBe(count);
});

test('a delivery through the trigger passes these files and no others', async () => {
	const host = await startTriggerHost();
	const files = await filesThatRun(async () => await host.post(signed()));
	expect(host.started).toHaveLength(1);
	expect(files.sort()).toEqual(filesOf('A delivery through the trigger').sort());
});

test('an item through Create passes these files and no others', async () => {
	const participants = { participant: [{ email: 'ann@example.com' }] };
	const run = { parameters: { ...CREATE, participants }, answer: json(201, { _id: 'r1' }) };
	const files = await filesThatRun(async () => await runOk(run));
	expect(files.sort()).toEqual(filesOf('An item through Create').sort());
});
