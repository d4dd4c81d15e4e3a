import fc from 'fast-check';
import { outcomeOf, send } from '../support/send.mts';
import { countExecutions } from '../support/executions.mts';
import { judge, type Arrived } from '../support/judge.mts';
import { CURRENT, deliveries, MAXIMUM_AGE, PREVIOUS } from '../support/mutations.mts';
import { createTrigger } from '../support/trigger.mts';

/** HTTP carries these header values unchanged. */
const isPlain = (value: string) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value);

test('50 of the deliveries of test/unit/fuzz.test.mts get the same verdict in a real n8n', async () => {
	const options = { name: 'Fuzzed', secret: CURRENT, previousSecrets: PREVIOUS };
	const { url, workflow } = await createTrigger({
		...options,
		parameters: { options: { maximumAge: MAXIMUM_AGE } },
	});
	const verdict = (arrived: Arrived, now: number) =>
		judge(arrived, [CURRENT, ...PREVIOUS], MAXIMUM_AGE, now);
	const base = Date.now();
	const sendable = fc.sample(deliveries, { seed: 2611, numRuns: 200 }).filter((make) => {
		const arrived = make(base);
		// Time passes until it arrives: none may be at the edge of the maximum age.
		const isCertain = [-1, 1].every(
			(way) => verdict(arrived, base + way * 9_000) === verdict(arrived, base),
		);
		return isCertain && Object.values(arrived.headers).every(isPlain);
	});
	let accepted = 0;
	for (const make of sendable.slice(0, 50)) {
		const now = Date.now();
		const arrived = make(now);
		// n8n does not parse a body of this type, so what arrives is what was sent.
		const type: [string, string] = ['content-type', 'application/octet-stream'];
		const headers = [...Object.entries(arrived.headers), type];
		const answer = await send(url, { headers, body: arrived.body });
		const expected = verdict(arrived, now);
		expect(outcomeOf(answer)).toBe(expected);
		if (expected === 'accepted') accepted += 1;
	}
	expect(accepted).toBeGreaterThan(5);
	expect(await countExecutions(workflow.id)).toBe(accepted);
});
